import AttachmentContainer
import Foundation

/// An object that a rendition or another file becomes.
struct StoredObject: Sendable, Hashable {
    /// The name below the prefix, which is the rendition's path: `ab/<sha256>.jpg`.
    let file: String
    let bytes: Int
    let digest: ContentDigest
    let contentType: String
    /// True if no object of another content will have the name (RFC 8246).
    var isImmutable = true

    init(file: String, bytes: Int, digest: ContentDigest, contentType: String) {
        self.file = file
        self.bytes = bytes
        self.digest = digest
        self.contentType = contentType
        isImmutable = false
    }

    init(_ rendition: Manifest.Rendition) {
        file = rendition.file
        bytes = rendition.bytes.bytes
        digest = rendition.sha256
        contentType = Self.contentType(of: rendition.type)
    }

    /// The media type for a uniform type identifier.
    static func contentType(of type: String) -> String {
        switch RenditionType(rawValue: type) {
        case .jpeg: return "image/jpeg"
        case .png: return "image/png"
        case .gif: return "image/gif"
        case nil: break
        }
        return switch MediaType(rawValue: type) {
        case .aiff: "audio/aiff"
        case .wav: "audio/vnd.wave"
        case .mp3: "audio/mpeg"
        case .mpeg4Audio: "audio/mp4"
        case .mpeg, .mpeg2Video: "video/mpeg"
        case .mpeg4: "video/mp4"
        case .avi: "video/x-msvideo"
        case nil: "application/octet-stream"
        }
    }
}

/// A place for objects, with one attempt for each request.
protocol ObjectStoring: Sendable {
    /// True if an object of the same length is there, false if it is missing or the answer tells
    /// nothing.
    func holds(_ object: StoredObject, within limit: Duration) async throws(StoreError) -> Bool

    /// Returns once the object is durable.
    func put(
        _ object: StoredObject, _ body: OwnedDescriptor, within limit: Duration
    ) async throws(StoreError)

    /// The object as a file that is open for reading; nil if it is missing.
    ///
    /// - Throws: `StoreError` with the code `tooLarge` for more bytes than `bytes`, or than the store
    ///   was opened for.
    func get(
        _ file: String, atMost bytes: Int, within limit: Duration
    ) async throws(StoreError) -> OwnedDescriptor?

    /// Difference of the store's clock from this one in its last answer; nil without a clock.
    var clockDifference: Duration? { get }

    /// Also succeeds if the object is missing.
    func remove(_ file: String, within limit: Duration) async throws(StoreError)

    func close() async
}
