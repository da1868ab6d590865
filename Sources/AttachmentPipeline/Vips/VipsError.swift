internal import CVips
internal import Synchronization

/// A call to libvips that failed, with libvips' own words.
package struct VipsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the operation, for example `jpegload_source`.
    ///
    /// None has the word memory in it, which a worker under `RLIMIT_DATA` takes for want of it.
    package let operation: String
    /// What libvips wrote to its error buffer, its lines joined by semicolons.
    package let message: String

    package var description: String { "\(operation): \(message)" }

    /// The process has one error buffer: without a lock two failures would share their lines.
    private static let buffer = Mutex(())

    /// Empties the buffer after a call that succeeded.
    ///
    /// Decoders write remarks about damage that they were told to tolerate into the same buffer,
    /// and the next failure would be taken for theirs. A failure of another thread at this very
    /// moment loses its words, not its error.
    static func forgetRemarks() {
        buffer.withLock { _ in vips_error_clear() }
    }

    /// Takes what libvips has written and leaves the buffer empty for the next failure.
    ///
    /// - Parameter operation: The name of the operation that failed.
    /// - Returns: The error to throw.
    static func drained(from operation: String) -> VipsError {
        buffer.withLock { _ in
            guard let text = vips_error_buffer_copy() else {
                return VipsError(operation: operation, message: "failed without a message")
            }
            defer { g_free(text) }
            let lines = String(cString: text).split(whereSeparator: \.isNewline)
            return VipsError(operation: operation, message: lines.joined(separator: "; "))
        }
    }
}
