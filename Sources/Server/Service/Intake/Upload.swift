import AttachmentContainer
import AttachmentModel
import AttachmentPublishing
import Foundation
import NIOCore

/// A received attachment in an unnamed file, whose space is freed with its descriptor.
struct Upload: Sendable {
    let file: AttachmentFile
    let digest: ContentDigest
}

/// Receives an attachment into an unnamed file in the container's file system.
///
/// The bytes are counted against the limit as they arrive, whatever length was announced.
struct UploadWriter: ~Copyable {
    /// Bytes collected for one write.
    ///
    /// Smaller ones cost a thread switch for every packet.
    private static let block = 256 << 10

    private let descriptor: OwnedDescriptor
    private let limit: Int
    private var hasher = ContentHasher()
    private var pending: [ByteBuffer] = []
    private var pendingBytes = 0
    private(set) var count = 0

    init(in container: SharedContainer, limit: ByteCount) throws(Problem) {
        do throws(ContainerError) {
            descriptor = try OwnedDescriptor(unnamedFileIn: container.incomingFolder)
        } catch {
            throw Problem(error)
        }
        self.limit = limit.bytes
    }

    mutating func write(_ bytes: ByteBuffer) async throws(Problem) {
        count += bytes.readableBytes
        guard count <= limit else { throw .tooLarge(limit) }
        pending.append(bytes)
        pendingBytes += bytes.readableBytes
        bytes.withUnsafeReadableBytes { hasher.update($0) }
        if pendingBytes >= Self.block { try await flush() }
    }

    /// - Throws: `Problem` with the code `empty` for a file without bytes.
    consuming func finish() async throws(Problem) -> Upload {
        try await flush()
        let digest = hasher.finalize()
        do throws(AttachmentError) {
            let own = fcntl(descriptor.descriptor, F_DUPFD_CLOEXEC, 0)
            let file = try AttachmentFile(descriptor: own, path: "upload")
            return Upload(file: file, digest: digest)
        } catch {
            throw Problem(error)
        }
    }

    private mutating func flush() async throws(Problem) {
        guard pendingBytes > 0 else { return }
        let (buffers, descriptor) = (pending, descriptor)
        pending = []
        pendingBytes = 0
        do throws(ContainerError) {
            try await BlockingWork.run { () throws(ContainerError) in
                for buffer in buffers { try descriptor.append(buffer) }
            }
        } catch {
            throw Problem(error)
        }
    }
}

extension OwnedDescriptor {
    fileprivate func append(_ buffer: ByteBuffer) throws(ContainerError) {
        let result = buffer.withUnsafeReadableBytes { bytes -> CInt in
            var start = 0
            while start < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
                let count = write(descriptor, rest.baseAddress, rest.count)
                if count > 0 {
                    start += count
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
        guard result == 0 else {
            throw ContainerError(
                result == ENOSPC ? .full : .notWritable, path: "upload",
                reason: String(cString: strerror(result)))
        }
    }
}
