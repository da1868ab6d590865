import AttachmentContainer
import AttachmentPublishing
import Foundation
import NIOCore

/// An open rendition of the container.
final class RenditionFile: Sendable {
    let digest: String
    let contentType: String
    let length: Int
    private let descriptor: OwnedDescriptor

    /// Content types by file name extension; a file with another one is not served.
    private static let types = [
        "jpg": "image/jpeg", "png": "image/png", "gif": "image/gif", "aiff": "audio/aiff",
        "wav": "audio/wav", "mp3": "audio/mpeg", "m4a": "audio/mp4", "mpg": "video/mpeg",
        "m2v": "video/mpeg", "mp4": "video/mp4", "avi": "video/x-msvideo",
    ]

    private init(digest: String, contentType: String, length: Int, _ descriptor: OwnedDescriptor) {
        self.digest = digest
        self.contentType = contentType
        self.length = length
        self.descriptor = descriptor
    }

    /// Opens a rendition; nil if no rendition can have the names, or it does not exist.
    ///
    /// The path is built from a digest and a known extension, so that no name leads elsewhere.
    static func open(
        folder: String, name: String, in container: SharedContainer
    ) async -> RenditionFile? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let digest = ContentDigest(rawValue: String(parts[0])),
            digest.rawValue.prefix(2) == folder, let type = types[String(parts[1])]
        else { return nil }
        let path = "\(container.root.path)/renditions/\(folder)/\(digest.rawValue).\(parts[1])"
        return await BlockingWork.run {
            let file = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard file >= 0 else { return nil }
            let descriptor = OwnedDescriptor(file)
            var status = stat()
            guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return RenditionFile(
                digest: digest.rawValue, contentType: type, length: Int(status.st_size), descriptor)
        }
    }

    /// Bytes from an offset; fewer at the end of the file or after an error.
    func bytes(in range: Range<Int>) async -> ByteBuffer {
        await BlockingWork.run { [descriptor] in
            var buffer = ByteBufferAllocator().buffer(capacity: range.count)
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: range.count) { bytes in
                var count = 0
                while count < range.count {
                    let taken = pread(
                        descriptor.descriptor, bytes.baseAddress?.advanced(by: count),
                        range.count - count, off_t(range.lowerBound + count))
                    guard taken > 0 || (taken < 0 && errno == EINTR) else { break }
                    count += max(0, taken)
                }
                return count
            }
            return buffer
        }
    }
}
