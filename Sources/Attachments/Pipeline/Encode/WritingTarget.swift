package import AttachmentDecryption
import Foundation

/// The place that encoders write to, at its current offset.
package enum WritingTarget: Sendable {
    case file(CInt)
    /// A file that is encrypted while it is written.
    case sealed(SealingFile)

    /// Writes bytes, as write(2) does: their number, or -1 with `errno`.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch self {
        case .file(let descriptor):
            while true {
                let written = Foundation.write(descriptor, bytes.baseAddress, bytes.count)
                if written >= 0 || errno != EINTR { return written }
            }
        case .sealed(let file):
            do throws(DecryptionError) {
                try file.append(bytes)
                return bytes.count
            } catch {
                errno = EIO
                return -1
            }
        }
    }

    /// Writes all bytes; false with `errno`.
    package func writeAll(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(rest)
            guard count > 0 else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    /// Truncates the file and returns to its start; false with `errno`.
    func empty() -> Bool {
        switch self {
        case .file(let descriptor):
            return ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0
        case .sealed(let file):
            do throws(DecryptionError) {
                try file.empty()
                return true
            } catch {
                errno = EIO
                return false
            }
        }
    }
}
