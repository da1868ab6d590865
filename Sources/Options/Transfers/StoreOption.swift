import AttachmentContainer
import AttachmentStore

/// The options of publishing.
public enum StoreOption {
    /// A declaration of this kind.
    public typealias Declaration = OptionDeclaration<StoreFlags, StoreChoices>
    package typealias Access = OptionDeclaration<StoreAccessFlags, StoreAccessChoices>

    /// All of them, in the order of the help.
    public static let all: [Declaration] =
        [publish, publishURL] + access.map { $0.lifted(from: \.access, to: \.access) }

    /// Those of the connection to a store.
    package static let access: [Access] = [
        s3Endpoint, s3Region, s3PathStyle, s3CAFile, publishMode,
    ]

    package static let publish: Declaration = .text(
        "publish", \.publish, \.store, "s3://BUCKET/PREFIX or a folder",
        "Store for the renditions: s3://BUCKET/PREFIX, or a folder that a web server serves.",
        valueName: "store"
    )
    .explained(
        "One store belongs to one container. Keys come from AWS_ACCESS_KEY_ID and "
            + "AWS_SECRET_ACCESS_KEY, from the profile AWS_PROFILE in ~/.aws/credentials, or from "
            + "the role of the service account, the container or the EC2 instance.")
    package static let publishURL: Declaration = Declaration(
        "publish-url", \.publishURL, \.url, "an http or https URL",
        "URL under which the store is served, such as a CDN's.", valueName: "url",
        parse: { $0.isEmpty || $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil }
    )
    .explained(
        "The default is the store's own. Without --publish, the URL under which the "
            + "container's renditions are served, as /v1/renditions of thimble-server.")

    package static let s3Endpoint: Access = .text(
        "s3-endpoint", \.s3Endpoint, \.s3.endpoint.orEmpty, "a URL",
        "URL of an S3-compatible server.", valueName: "url"
    )
    .explained(
        "The default is AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, or that of AWS.")
    package static let s3Region: Access = .text(
        "s3-region", \.s3Region, \.s3.region.orEmpty, "a region", "Region of the bucket.",
        valueName: "region"
    )
    .explained(
        "The default is AWS_REGION, AWS_DEFAULT_REGION, or the profile's region.")
    package static let s3PathStyle: Access = .answer(
        "s3-path-style", \.s3PathStyle, \.s3.usesPathStyle,
        "Write the bucket into the path of URLs instead of the host's name."
    )
    .explained(
        "The default, auto, is the path for servers that are addresses.")
    package static let s3CAFile: Access = .path(
        "s3-ca-file", \.s3CAFile, \.authorities, "a file",
        "File of certificate authorities for the server, in PEM."
    )
    .explained(
        "The default is AWS_CA_BUNDLE, the profile's file, or the system's.")
    package static let publishMode: Access = Access(
        "publish-mode", \.publishMode, \.mode, "permissions in octal, such as 644",
        "Permissions of files in a folder of --publish, in octal.", valueName: "bits",
        parse: { ContainerMode(octal: $0)?.description })
}
