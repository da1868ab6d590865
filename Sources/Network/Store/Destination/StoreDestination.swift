import AttachmentContainer
import Foundation

/// The place of published objects: a bucket of an S3-compatible store, or a folder that a web server
/// serves.
///
/// Objects have the names of their renditions: `ab/<sha256>.jpg` below the prefix or the folder. One
/// destination belongs to one container, because only the container's records tell whether an object
/// is still in use.
public enum StoreDestination: Sendable, Hashable {
    case s3(S3Destination)
    case folder(FolderDestination)
}

extension StoreDestination {
    /// Reads `s3://BUCKET/PREFIX`, a `file` URL, or the path of a folder.
    ///
    /// - Parameters:
    ///   - text: The destination.
    ///   - settings: Endpoint, region and addressing; they take precedence over the configuration.
    ///   - configuration: Values that the clients of AWS read too.
    /// - Throws: `StoreError` for a destination that cannot be used.
    public init(
        _ text: String, _ settings: S3Settings = S3Settings(), _ configuration: AWSConfiguration
    ) throws(StoreError) {
        if text.hasPrefix("s3:") {
            self = .s3(try S3Destination(text, settings, configuration))
        } else if text.hasPrefix("file:") {
            guard let url = URL(string: text), url.isFileURL, !url.path.isEmpty else {
                throw StoreError(
                    .invalidDestination, destination: text,
                    reason: "the URL of the folder is invalid")
            }
            self = .folder(FolderDestination(url))
        } else {
            guard !text.isEmpty, text.firstRange(of: "://") == nil else {
                throw StoreError(
                    .invalidDestination, destination: text,
                    reason: "it is neither an s3 URL nor a folder")
            }
            self = .folder(FolderDestination(URL(fileURLWithPath: text)))
        }
    }

    /// The text that tells destinations apart in the container's records.
    var identity: String {
        switch self {
        case .s3(let destination): destination.identity
        case .folder(let destination): "folder\n\(destination.path)"
        }
    }

    /// The URL of an object in the store itself.
    public func url(of file: String) -> String {
        switch self {
        case .s3(let destination): destination.url(of: file)
        case .folder(let destination): destination.url(of: file).absoluteString
        }
    }

    /// The URL of an object for devices: below `baseURL`, or in the store itself if that is nil.
    func url(of file: String, servedUnder baseURL: String?) -> String {
        guard let baseURL else { return url(of: file) }
        return baseURL + (baseURL.hasSuffix("/") ? "" : "/") + file
    }
}

extension StoreDestination: CustomStringConvertible {
    /// `s3://BUCKET/PREFIX`, or the folder's path.
    public var description: String {
        switch self {
        case .s3(let destination): destination.description
        case .folder(let destination): destination.path
        }
    }
}

/// A folder that a web server serves.
public struct FolderDestination: Sendable, Hashable {
    /// The absolute path.
    public let path: String

    init(_ url: URL) {
        let path = url.standardizedFileURL.path
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    func url(of file: String) -> URL { URL(fileURLWithPath: "\(path)/\(file)") }
}
