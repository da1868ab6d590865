public import AttachmentIntake
public import AttachmentPlanning
public import Foundation
public import Logging
public import ProcessSandbox

/// Reads the headers of attachments in a worker, and plans them as a fresh worker would.
///
/// It has no container and publishes nothing; use a ``WorkerPool`` for that. The worker has the cap,
/// the sandbox and the budget of one that processes, and decodes nothing, so that every attachment
/// is planned as if it were the first. Nothing is left behind: scratch files have no names, and the
/// worker ends with this process.
public final class AttachmentInspector: Sendable {
    private let crew: WorkerCrew

    /// Makes an inspector; its worker is started when it is needed, and stays.
    ///
    /// - Parameters:
    ///   - settings: What is asked of the renditions, and the cap of the worker. Without a scratch
    ///     folder one for temporary files is taken: plans count on scratch files if it is on a disk.
    ///   - enforcement: How it is kept under the cap. The default is the strongest that there is.
    ///   - timeout: How long it may take for one attachment. The default is 60 seconds.
    ///   - sandbox: How much depends on its sandbox. The default is as much of it as the kernel has.
    ///   - executable: The program `thimble-worker`. The default is the one beside the running
    ///     program.
    ///   - logger: Gets what becomes of workers, without names. The default drops everything.
    /// - Throws: `WorkerPoolError`, before any process is started.
    public init(
        settings: ProcessingSettings, enforcement: Enforcement = .auto,
        timeout: Duration = .seconds(60), sandbox: SandboxMode = .automatic,
        executable: URL? = nil,
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
    ) throws(WorkerPoolError) {
        crew = try WorkerCrew(
            settings, folder: Self.folder, workers: 1, enforcement: enforcement,
            timeout: timeout, sandbox: sandbox, executable: executable, logger: logger)
    }

    /// Starts the worker ahead of the first attachment, so that what is wrong shows before any work.
    ///
    /// - Throws: `WorkerPoolError` with what stands in its way.
    public func warmUp() async throws(WorkerPoolError) { try await crew.warmUp() }

    /// Reads the header of an attachment and plans it.
    ///
    /// - Parameter path: The attachment's file. It is only read.
    /// - Returns: The header, the budget and the judged ladder.
    /// - Throws: `AttachmentError` with the file and the reason: for what cannot be read, is refused
    ///   by its header, or costs the worker.
    public func inspect(_ path: String) async throws(AttachmentError) -> InspectedAttachment {
        try await crew.inspect(path)
    }

    /// Ends the worker and removes its control group; attachments are refused from then on.
    public func close() async { await crew.close() }

    /// The folder of scratch files: `/var/tmp` is on a disk, unlike `/tmp` on many systems
    /// (Filesystem Hierarchy Standard 3.0, 5.15).
    private static var folder: String {
        let folders = ["/var/tmp", NSTemporaryDirectory()]
        return folders.first { FileManager.default.isWritableFile(atPath: $0) } ?? "/var/tmp"
    }
}
