public import AttachmentModel
public import Foundation
public import Logging
public import WorkerProtocol

/// Reads the headers of attachments in a worker and plans them as a fresh worker would.
///
/// It needs no container and publishes nothing. The worker has the same cap, sandbox and budget as
/// one of a ``WorkerPool``. Plans use scratch files only if the temporary folder is on a disk.
public final class AttachmentInspector: Sendable {
    private let crew: WorkerCrew

    /// Creates an inspector, with the parameters of ``WorkerPool``.
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

    /// Starts the worker in advance, so that faults show before any work.
    public func warmUp() async throws(WorkerPoolError) { try await crew.warmUp() }

    /// Reads the header of an attachment in a worker and plans it.
    public func inspect(_ path: String) async throws(AttachmentError) -> InspectedAttachment {
        try await crew.inspect(AttachmentRequest(path: path, identifier: ""))
    }

    /// Reads the header of an attachment that may be open already.
    package func inspect(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> InspectedAttachment {
        try await crew.inspect(request)
    }

    /// Ends the worker and removes its control group; later requests fail.
    public func close() async { await crew.close() }

    /// `/var/tmp` is on a disk, unlike `/tmp` on many systems (Filesystem Hierarchy Standard 3.0,
    /// 5.15).
    private static var folder: String {
        let folders = ["/var/tmp", FileManager.default.temporaryDirectory.path]
        return folders.first { FileManager.default.isWritableFile(atPath: $0) } ?? "/var/tmp"
    }
}
