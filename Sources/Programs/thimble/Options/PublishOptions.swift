import ArgumentParser
import AttachmentContainer
import AttachmentStore
import Foundation
import Logging
import NotificationStaging

/// Options for publishing renditions where devices can reach them.
struct PublishOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Store for the renditions: s3://BUCKET/PREFIX, or a folder that a web server serves.",
            discussion:
                "One store belongs to one container. Keys come from AWS_ACCESS_KEY_ID and "
                + "AWS_SECRET_ACCESS_KEY, from the profile AWS_PROFILE in ~/.aws/credentials, or from "
                + "the role of the service account, the container or the EC2 instance.",
            valueName: "store"))
    var publish: String?

    @Option(
        help: ArgumentHelp(
            "URL under which the store is served, such as that of a CDN.",
            discussion:
                "The default is the store's own. Without --publish, the URL under which the "
                + "container's renditions are served.",
            valueName: "url"))
    var publishUrl: String?

    @OptionGroup var access: StoreOptions

    /// Defaults, which the environment may override.
    private enum Default {
        static let publish = EnvironmentDefault("publish", OptionalText())
        static let publishUrl = EnvironmentDefault("publish-url", OptionalText())
    }

    func validate() throws {
        if publish?.isEmpty == true {
            throw ValidationError("--publish must name a bucket or a folder")
        }
    }

    /// The destination, from the command line or the environment.
    private var store: String? { publish ?? Default.publish.value.text }

    private var servedURL: String? { publishUrl ?? Default.publishUrl.value.text }

    /// Refuses a folder whose URL no device could open.
    func requireReachableURL() throws {
        guard let store, !store.hasPrefix("s3:"), servedURL == nil else { return }
        throw ValidationError(
            "--publish with a folder needs --publish-url: the URL under which the folder is served")
    }

    /// The place from which devices get the renditions.
    func place(_ publisher: ObjectPublisher?, in container: SharedContainer) -> RenditionPublishing
    {
        if let publisher { return .store(publisher) }
        return servedURL.map { .container(container, url: $0) } ?? .none
    }

    /// Creates the publisher, whose process starts with the first upload; nil without a store.
    func publisher(
        in container: SharedContainer, _ workers: WorkerOptions
    ) throws(StoreError) -> ObjectPublisher? {
        guard let store else { return nil }
        let access = access.access(workers)
        var settings = PublishSettings()
        settings.baseURL = servedURL
        return try ObjectPublisher(
            to: try self.access.destination(store, access), in: container, settings: settings,
            access: access)
    }
}

/// Options for the connection to a store.
struct StoreOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "URL of an S3-compatible server.",
            discussion: "The default is AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, or that of AWS.",
            valueName: "url"))
    var s3Endpoint: String?

    @Option(
        help: ArgumentHelp(
            "Region of the bucket.",
            discussion: "The default is AWS_REGION, AWS_DEFAULT_REGION, or that of the profile.",
            valueName: "region"))
    var s3Region: String?

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Write the bucket into the path of URLs instead of the host's name.",
            discussion: "The default is the path for servers that are addresses."))
    var s3PathStyle: Bool?

    @Option(
        help: ArgumentHelp(
            "File of certificate authorities for the server, in PEM.",
            discussion: "The default is AWS_CA_BUNDLE, that of the profile, or the system's.",
            valueName: "file"),
        completion: .file())
    var s3CaFile: String?

    @Option(
        help: ArgumentHelp(
            "Permissions of files in a folder of --publish, in octal.", valueName: "bits"))
    var publishMode = Default.publishMode.value

    /// Defaults, which the environment may override.
    private enum Default {
        static let s3Endpoint = EnvironmentDefault("s3-endpoint", OptionalText())
        static let s3Region = EnvironmentDefault("s3-region", OptionalText())
        static let s3PathStyle = EnvironmentDefault("s3-path-style", OptionalAnswer())
        static let s3CaFile = EnvironmentDefault("s3-ca-file", OptionalText())
        static let publishMode = EnvironmentDefault("publish-mode", FileMode())
    }

    func validate() throws {
        try Default.s3PathStyle.check()
        try Default.publishMode.check()
    }

    /// Reads a destination with these options and the environment.
    func destination(_ text: String, _ access: StoreAccess) throws(StoreError) -> StoreDestination {
        var settings = S3Settings()
        settings.endpoint = s3Endpoint ?? Default.s3Endpoint.value.text
        settings.region = s3Region ?? Default.s3Region.value.text
        settings.usesPathStyle = s3PathStyle ?? Default.s3PathStyle.value.isYes
        return try StoreDestination(text, settings, access.configuration)
    }

    func access(_ workers: WorkerOptions? = nil) -> StoreAccess {
        var access = StoreAccess(logger: Logger(label: "thimble"))
        access.authorities = s3CaFile ?? Default.s3CaFile.value.text
        access.folderMode = publishMode.text
        access.sandbox = workers?.sandbox ?? WorkerOptions.Default.sandbox.value
        return access
    }
}

/// Text that an environment variable may set; empty for none.
private struct OptionalText: ExpressibleByArgument {
    let text: String?

    init() { text = nil }

    init?(argument: String) { text = argument.isEmpty ? nil : argument }
}

/// An answer that an environment variable may give.
private struct OptionalAnswer: ExpressibleByArgument {
    let isYes: Bool?

    init() { isYes = nil }

    init?(argument: String) {
        guard let answer = Answer(rawValue: argument) else { return nil }
        isYes = answer.isYes
    }
}

/// Permissions of files, in octal.
struct FileMode: ExpressibleByArgument, Sendable {
    let text: String

    init() { text = "644" }

    init?(argument: String) {
        guard let mode = ContainerMode(octal: argument) else { return nil }
        text = mode.description
    }

    var defaultValueDescription: String { text }
}
