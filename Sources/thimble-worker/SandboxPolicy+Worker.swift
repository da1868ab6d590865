import AttachmentContainer
import AttachmentFootprint
import AttachmentPlanning
import Foundation
import ProcessSandbox
import WorkerProtocol

extension SandboxPolicy {
    /// What a worker keeps: the folders of its container that it writes to, the folder for scratch
    /// files and the way to its supervisor.
    ///
    /// Attachments come as open files. Renditions leave by paths and not by descriptors that the
    /// supervisor opened, since the supervisor would have to copy them then: a worker that was taken
    /// over could write to them for as long as it lives. So it may make files in the container, but
    /// read no rendition, write to none and touch nothing that is pinned.
    ///
    /// - Parameters:
    ///   - configuration: How the worker is to work.
    ///   - container: Where it writes.
    ///   - outbox: The way to its supervisor.
    init(
        of configuration: WorkerConfiguration, for container: SharedContainer, _ outbox: Outbox
    ) {
        self.init()
        mode = configuration.sandbox
        limits = configuration.limits
        descriptors = [outbox.descriptor] + Footprint.openFiles()
        let folders = container.writerFolders
        paths = [
            AllowedPath(
                folders.incoming,
                [
                    .readFiles, .writeFiles, .openFolders, .makeFiles, .removeFiles, .moveFiles,
                ]),
            AllowedPath(
                folders.renditions,
                [.openFolders, .makeFolders, .makeFiles, .removeFiles, .moveFiles]),
        ]
        paths += folders.manifests.map {
            AllowedPath($0, [.readFiles, .openFolders, .makeFiles, .removeFiles, .moveFiles])
        }
        // One that is not there is an error of the settings, which the pipeline finds.
        if let scratch = configuration.settings.scratchFolder,
            FileManager.default.fileExists(atPath: scratch)
        {
            paths.append(
                AllowedPath(scratch, [.readFiles, .writeFiles, .makeFiles, .removeFiles]))
        }
        // The names of unfinished files are random (Foundation's UUID).
        let random = "/dev/urandom"
        if FileManager.default.fileExists(atPath: random) {
            paths.append(AllowedPath(random, .readFiles))
        }
    }
}
