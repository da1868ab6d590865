public import AttachmentContainer
public import AttachmentStore
public import Logging
public import WorkerProtocol

/// Values of the options of publishing.
public struct StoreChoices: OptionTarget {
    /// Bucket or folder for renditions; empty to publish none.
    public var store = ""
    /// URL under which the renditions are public; empty for the store's own.
    public var url = ""
    /// The connection to the store.
    public var access = StoreAccessChoices()

    /// Creates the built-in values.
    public init() {}

    /// The bucket or folder for renditions; nil to publish none.
    public func destination(_ access: StoreAccess) throws(StoreError) -> StoreDestination? {
        guard !store.isEmpty else { return nil }
        return try self.access.destination(store, access)
    }

    /// The URL under which renditions are public; nil for the store's own.
    public var publicURL: String? { url.isEmpty ? nil : url }

    /// Creates the publisher, whose process starts with the first upload; nil without a store.
    public func publisher(
        in container: SharedContainer, _ sandbox: SandboxMode, _ logger: Logger
    ) throws(StoreError) -> ObjectPublisher? {
        let access = access.access(sandbox, logger)
        guard let destination = try destination(access) else { return nil }
        var settings = PublishSettings()
        settings.baseURL = publicURL
        return try ObjectPublisher(
            to: destination, in: container, settings: settings, access: access)
    }

    /// True for a folder whose URL no device could open.
    public var lacksURL: Bool { !store.isEmpty && !store.hasPrefix("s3:") && url.isEmpty }
}

/// Values of the options of the connection to a store.
public struct StoreAccessChoices: OptionTarget {
    package var s3 = S3Settings()
    /// File of certificate authorities; empty for the configuration's of AWS, or the system's.
    package var authorities = ""
    /// Permissions of files in a folder, in octal.
    package var mode = "644"

    /// Creates the built-in values.
    public init() {}

    /// Reads a destination.
    package func destination(
        _ text: String, _ access: StoreAccess
    ) throws(StoreError) -> StoreDestination {
        try StoreDestination(text, s3, access.configuration)
    }

    /// Credentials, authorities, permissions and sandbox of transfers.
    public func access(_ sandbox: SandboxMode, _ logger: Logger) -> StoreAccess {
        var access = StoreAccess(logger: logger)
        access.authorities = authorities.isEmpty ? nil : authorities
        access.folderMode = mode
        access.sandbox = sandbox
        return access
    }
}
