public import AttachmentContainer
public import AttachmentModel
import Foundation

/// A fetched file, open for reading for as long as the object exists.
public final class FetchedFile: Sendable {
    /// Facts that tell whether two fetches gave the same file.
    public struct Identity: Sendable, Hashable, Codable {
        /// Digest of the URL, its credentials and the rules for servers under which it was fetched.
        public let url: ContentDigest
        /// Digest of the file's bytes.
        public let body: ContentDigest
        /// The server's entity tag; nil without one.
        public let entityTag: String?
    }

    /// The length.
    public let bytes: ByteCount
    /// Media type as the server states it, unchecked; nil if it states none.
    public let mediaType: String?
    /// Identity, by which the result of processing can be found again.
    public let identity: Identity
    let owner: OwnedDescriptor

    init(_ owner: OwnedDescriptor, _ response: CachedResponse, key: ContentDigest) {
        self.owner = owner
        bytes = response.bytes
        mediaType = response.mediaType
        identity = Identity(url: key, body: response.body, entityTag: response.entityTag)
    }

    /// Digest of the bytes.
    public var digest: ContentDigest { identity.body }

    /// A descriptor open for reading.
    ///
    /// Read it with pread(2), because its position is shared.
    public var descriptor: CInt { owner.descriptor }

    /// The file for a processor; errors show `path`.
    public func attachment(path: String) throws(AttachmentError) -> AttachmentFile {
        try AttachmentFile(descriptor: try reopened(path: path), path: path)
    }

    /// Another descriptor, which the caller closes.
    package func reopened(path: String) throws(AttachmentError) -> CInt {
        do throws(ContainerError) {
            let copy = try owner.reopenedForReading()
            let descriptor = fcntl(copy.descriptor, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else {
                throw ContainerError(
                    .system, path: path, reason: "no more files can be opened")
            }
            return descriptor
        } catch {
            throw AttachmentError(.unreadable, file: path, reason: error.reason)
        }
    }
}
