import AttachmentContainer
public import Foundation
public import Logging
public import WorkerProtocol

/// The means to open stores: configuration, sandbox and permissions.
public struct StoreAccess: Sendable {
    /// Credentials and certificate authorities of S3-compatible stores.
    public var configuration: AWSConfiguration
    /// File of certificate authorities in PEM.
    ///
    /// The default is nil, for the configuration's file.
    public var authorities: String?
    /// Permissions, in octal, of files in folders that a web server serves and must read.
    ///
    /// The default is 644.
    public var folderMode = "644"
    /// Enforcement of the sandbox of the transfer process.
    ///
    /// The default is `SandboxMode.automatic`.
    public var sandbox = SandboxMode.automatic
    /// Location of `thimble-transfer`.
    ///
    /// The default is nil, for the installed one.
    public var executable: URL?
    /// Receives losses of the transfer process.
    public var logger: Logger

    /// Creates access with a configuration.
    ///
    /// - Parameters:
    ///   - configuration: Credentials. The default is the environment's.
    ///   - logger: The default discards messages.
    public init(
        _ configuration: AWSConfiguration = AWSConfiguration(),
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.configuration = configuration
        self.logger = logger
    }

    /// Opens a store without contacting it; `folder` is for unnamed files.
    ///
    /// `maximumBytes` is the ceiling on an object that is read.
    func open(
        _ destination: StoreDestination, folder: String, requests: Int, maximumBytes: Int = 0
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
            // Without credentials no request is worth a process; a role's are requested later.
            if configuration.role == nil { _ = try configuration.credentials(for: destination) }
            let authorities = authorities ?? configuration.authorities
            guard authorities.map({ Foundation.access($0, R_OK) == 0 }) ?? true else {
                throw StoreError(
                    .tls, destination: destination.description,
                    reason: "the file of certificate authorities cannot be read")
            }
            return S3Store(
                destination, configuration, authorities: authorities, folder: folder,
                maximumUploads: requests, maximumBytes: maximumBytes,
                sandbox: sandbox, executable: executable, logger: logger)
        }
    }
}
