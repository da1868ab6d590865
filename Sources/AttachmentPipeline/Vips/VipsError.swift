internal import CVips
internal import Synchronization

/// A failed call to libvips, with its message.
package struct VipsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The operation's name, for example `jpegload_source`.
    package let operation: String
    /// The contents of libvips' error buffer, lines joined by semicolons.
    package let message: String

    package var description: String { "\(operation): \(message)" }

    /// The error buffer is process-wide: without a lock two failures would mix their lines.
    private static let buffer = Mutex(())

    /// Empties the buffer after a successful call.
    ///
    /// Decoders also write tolerated warnings to the buffer, which would appear in the next
    /// failure. A simultaneous failure in another thread loses its message, but not its error.
    static func clearWarnings() {
        buffer.withLock { _ in vips_error_clear() }
    }

    /// Moves the buffer's contents into an error.
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
