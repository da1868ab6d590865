public import AttachmentModel
public import Foundation
public import Logging
public import WorkerProtocol

/// Reads the headers of attachments in a worker and plans them as a fresh worker would.
///
/// It needs no container and publishes nothing; use a ``WorkerPool`` for that. The worker has the
/// same cap, sandbox and budget as one that processes. It decodes nothing, so every attachment is
/// planned as if it were the first. Scratch files are unlinked, and the worker exits with this
/// process.
public final class AttachmentInspector: Sendable {
    private let crew: WorkerCrew

    /// Creates an inspector.
    ///
    /// The worker starts on demand and is reused.
    ///
    /// - Parameters:
    ///   - settings: Settings of the renditions, and the cap of the worker. The default scratch folder
    ///     is a temporary one; plans use scratch files only if it is on a disk.
    ///   - enforcement: Requested mechanism. The default is the strongest available.
    ///   - timeout: Time limit for one attachment. The default is 60 seconds.
    ///   - sandbox: Requirement on the sandbox. The default is as much as the kernel supports.
    ///   - executable: The program `thimble-worker`. The default is the one beside the running
    ///     program.
    ///   - logger: Receives losses of workers, without names. The default drops everything.
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

    /// Starts the worker before the first attachment, to detect problems early.
    ///
    /// - Throws: `WorkerPoolError` if a worker cannot start.
    public func warmUp() async throws(WorkerPoolError) { try await crew.warmUp() }

    /// Reads the header of an attachment and plans it.
    ///
    /// - Parameter path: The attachment's file. It is only read.
    /// - Returns: The header, the budget and the judged ladder.
    /// - Throws: `AttachmentError` with the file and the reason if the file cannot be read, its
    ///   header is refused, or the worker is lost.
    public func inspect(_ path: String) async throws(AttachmentError) -> InspectedAttachment {
        try await crew.inspect(AttachmentRequest(path: path, identifier: ""))
    }

    /// Ends the worker and removes its control group.
    ///
    /// Later requests fail.
    public func close() async { await crew.close() }

    /// Folder of scratch files: `/var/tmp` is on a disk, unlike `/tmp` on many systems
    /// (Filesystem Hierarchy Standard 3.0, 5.15).
    private static var folder: String {
        let folders = ["/var/tmp", FileManager.default.temporaryDirectory.path]
        return folders.first { FileManager.default.isWritableFile(atPath: $0) } ?? "/var/tmp"
    }
}
