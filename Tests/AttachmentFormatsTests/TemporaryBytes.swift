import AttachmentModel
import Foundation

/// An unlinked file with the given bytes, closed with the last reference.
final class TemporaryBytes {
    let descriptor: CInt
    private let length: Int

    init(_ bytes: [UInt8]) throws {
        let path = NSTemporaryDirectory() + "thimble-\(UUID().uuidString)"
        length = bytes.count
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else {
            throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
        }
        unlink(path)
    }

    var openFile: OpenFile { OpenFile(descriptor: descriptor, length: length) }

    deinit { close(descriptor) }
}
