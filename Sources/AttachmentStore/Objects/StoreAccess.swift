import AttachmentContainer
public import Foundation
public import Logging
public import WorkerProtocol

/// The means to open stores: configuration, sandbox and permissions.
public struct StoreAccess: Sendable {
    /// Credentials and certificate authorities of S3-compatible stores.
    public var configuration: AWSConfiguration
    /// Permissions of files in folders that a web server serves, in octal; it may read them.
    ///
    /// The default is 644.
    public var folderMode = "644"
    /// Enforcement of the sandbox of the transfer process.
    ///
    /// The default is ``WorkerProtocol/SandboxMode/automatic``.
    public var sandbox = SandboxMode.automatic
    /// `thimble-transfer`.
    ///
    /// The default is nil, for the one beside the running program.
    public var executable: URL?
    /// Receives losses of the transfer process.
    public var logger: Logger

    /// Creates access with a configuration.
    ///
    /// - Parameters:
    ///   - configuration: Credentials. The default is those of the environment.
    ///   - logger: The default discards messages.
    public init(
        _ configuration: AWSConfiguration = AWSConfiguration(),
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Opens a store without contacting it; `folder` is for unnamed files.
    func open(
        _ destination: StoreDestination, folder: String, requests: Int
    ) throws(StoreError) -> any ObjectStoring {
        switch destination {
        case .folder(let destination):
            guard let mode = ContainerMode(octal: folderMode) else {
                throw StoreError(
                    .invalidDestination, destination: destination.path,
                    reason: "the permissions of its files are invalid")
            }
            return FolderStore(destination: destination, mode: mode)
        case .s3(let destination):
            let credentials: S3Credentials
            do throws(StoreError) {
                credentials = try configuration.credentials()
            } catch {
                throw StoreError(
                    error.code, destination: destination.description, reason: error.reason)
            }
            return S3Store(
                destination, credentials, authorities: configuration.authorities, folder: folder,
                maximumUploads: requests, sandbox: sandbox, executable: executable, logger: logger)
        }
    }
}
