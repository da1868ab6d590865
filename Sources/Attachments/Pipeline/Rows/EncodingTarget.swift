import Foundation

/// The failure of an encoder, or of the file that it writes to.
package struct EncodingFailure: Error {
    package let reason: String
}

/// The file that a C library writes to, at its current offset; must outlive the library's writer.
final class EncodingTarget {
    private let descriptor: UnsafeMutablePointer<CInt>

    init(descriptor: CInt) {
        self.descriptor = UnsafeMutablePointer<CInt>.allocate(capacity: 1)
        self.descriptor.initialize(to: descriptor)
    }

    deinit { descriptor.deallocate() }

    var context: UnsafeMutableRawPointer { UnsafeMutableRawPointer(descriptor) }

    /// Writes bytes to the file that `context` belongs to.
    static let write:
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int) -> Int = {
            context, bytes, count in
            guard let descriptor = context?.load(as: CInt.self) else { return -1 }
            while true {
                let written = Foundation.write(descriptor, bytes, count)
                if written >= 0 || errno != EINTR { return written }
            }
        }
}
