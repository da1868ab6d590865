import AttachmentContainer
import Foundation

/// A body in a file that no transfer process has open.
///
/// A compromised process keeps its descriptor, and could change the bytes after their digest was
/// computed. So each is read once, digested and written.
struct FetchedBody: Sendable {
    let owner: OwnedDescriptor
    let digest: ContentDigest
    let bytes: ByteCount

    /// Nil if the source is shorter, or the target cannot be written.
    init?(sealing source: OwnedDescriptor, bytes: Int, in target: OwnedDescriptor) {
        var hasher = ContentHasher()
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { block.deallocate() }
        var offset = 0
        while offset < bytes {
            let wanted = min(block.count, bytes - offset)
            let count = pread(source.descriptor, block.baseAddress, wanted, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            var rest = UnsafeRawBufferPointer(rebasing: block[..<count])
            hasher.update(rest)
            while !rest.isEmpty {
                let written = write(target.descriptor, rest.baseAddress, rest.count)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { return nil }
                rest = UnsafeRawBufferPointer(rebasing: rest[written...])
            }
            offset += count
        }
        owner = target
        digest = hasher.finalize()
        self.bytes = ByteCount(bytes)
    }
}
