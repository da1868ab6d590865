/// The failure of an encoder, or of the file that it writes to.
package struct EncodingFailure: Error {
    package let reason: String
}

/// The place that a C library writes to; must outlive the library's writer.
final class EncodingTarget {
    private let target: UnsafeMutablePointer<WritingTarget>

    init(_ target: WritingTarget) {
        self.target = UnsafeMutablePointer<WritingTarget>.allocate(capacity: 1)
        self.target.initialize(to: target)
    }

    deinit {
        target.deinitialize(count: 1)
        target.deallocate()
    }

    var context: UnsafeMutableRawPointer { UnsafeMutableRawPointer(target) }

    /// Writes bytes to the place that `context` belongs to.
    static let write:
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int) -> Int = {
            context, bytes, count in
            guard let context else { return -1 }
            // Valid: `context` is the pointer of an `EncodingTarget`.
            return context.assumingMemoryBound(to: WritingTarget.self).pointee
                .write(UnsafeRawBufferPointer(start: bytes, count: count))
        }
}
