import AttachmentContainer
import Foundation

/// The description of a destination in the container's records, without credentials.
extension StoreDestination: Codable {
    private struct Description: Codable {
        var formatVersion = FormatVersion.current
        var kind: String
        var path: String?
        var bucket: String?
        var prefix: String?
        var endpoint: String?
        var region: String?
        var pathStyle: Bool?
    }

    /// Writes the description.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .folder(let destination):
            try Description(kind: "folder", path: destination.path).encode(to: encoder)
        case .s3(let destination):
            try Description(
                kind: "s3", bucket: destination.bucket, prefix: destination.prefix,
                endpoint: destination.endpoint.text, region: destination.region,
                pathStyle: destination.usesPathStyle
            ).encode(to: encoder)
        }
    }

    /// Reads a description and checks it as if it came from the command line.
    public init(from decoder: any Decoder) throws {
        let description = try Description(from: decoder)
        switch (description.kind, description.path, description.bucket, description.endpoint) {
        case ("folder", let path?, _, _) where path.isAbsolutePath:
            self = .folder(FolderDestination(URL(fileURLWithPath: path)))
        case ("s3", _, let bucket?, let endpoint?):
            self = .s3(
                try S3Destination(
                    bucket: bucket, prefix: description.prefix ?? "",
                    endpoint: try S3Endpoint(endpoint), region: description.region ?? "us-east-1",
                    usesPathStyle: description.pathStyle ?? true))
        default:
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "unknown kind of destination"))
        }
    }
}
