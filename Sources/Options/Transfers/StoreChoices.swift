package import AttachmentContainer
package import AttachmentStore
package import Logging
package import WorkerProtocol

/// Values of the options of publishing.
package struct StoreChoices: OptionTarget {
    /// Bucket or folder for renditions; empty to publish none.
    package var store = ""
    /// URL under which the renditions are public; empty for the store's own.
    package var url = ""
    package var access = StoreAccessChoices()

    package init() {}

    /// The bucket or folder for renditions; nil to publish none.
    package func destination(_ access: StoreAccess) throws(StoreError) -> StoreDestination? {
        guard !store.isEmpty else { return nil }
        return try self.access.destination(store, access)
    }

    /// The URL under which renditions are public; nil for the store's own.
    package var publicURL: String? { url.isEmpty ? nil : url }

    /// Creates the publisher, whose process starts with the first upload; nil without a store.
    package func publisher(
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
    package var lacksURL: Bool { !store.isEmpty && !store.hasPrefix("s3:") && url.isEmpty }
}

/// Values of the options of the connection to a store.
package struct StoreAccessChoices: OptionTarget {
    package var s3 = S3Settings()
    /// File of certificate authorities; empty for the configuration's of AWS, or the system's.
    package var authorities = ""
    /// Permissions of files in a folder, in octal.
    package var mode = "644"

    package init() {}

    /// Reads a destination.
    package func destination(
        _ text: String, _ access: StoreAccess
    ) throws(StoreError) -> StoreDestination {
        try StoreDestination(text, s3, access.configuration)
    }

    /// Credentials, authorities, permissions and sandbox of transfers.
    package func access(_ sandbox: SandboxMode, _ logger: Logger) -> StoreAccess {
        var access = StoreAccess(logger: logger)
        access.authorities = authorities.isEmpty ? nil : authorities
        access.folderMode = mode
        access.sandbox = sandbox
        return access
    }
}
