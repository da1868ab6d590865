internal import AttachmentContainer
internal import AttachmentFormats

#if SYSTEM_CODECS
    internal import CVips
#elseif BinaryVips
    internal import CVipsFramework
#endif

/// A failed call to libvips, with its message.
package struct VipsError: Error, Sendable, Hashable, CustomStringConvertible {
    package let operation: String
    /// The contents of libvips' error buffer, lines joined by semicolons.
    package let message: String
    /// The fault of one of our own decoders inside libvips; nil for a failure of libvips itself.
    var fault: DecodingFault?

    package var description: String { "\(operation): \(message)" }

    /// The error buffer is process-wide: without a lock two failures would mix their lines.
    private static let buffer = Lock(())

    /// Empties the buffer after a successful call.
    ///
    /// Decoders also write tolerated warnings to the buffer, which would appear in the next
    /// failure. A simultaneous failure in another thread loses its message, but not its error.
    static func clearWarnings() {
        buffer.withLock { _ in vips_error_clear() }
    }

    /// Moves the buffer's contents into an error.
    static func drained(from operation: String, fault: CallbackFault? = nil) -> VipsError {
        let message = buffer.withLock { _ in
            guard let text = vips_error_buffer_copy() else { return "failed without a message" }
            defer { g_free(text) }
            return String(cString: text).split(whereSeparator: \.isNewline).joined(separator: "; ")
        }
        return VipsError(operation: operation, message: message, fault: fault?.first)
    }
}

extension VipsError {
    init(_ fault: DecodingFault) {
        self.init(operation: "decoder", message: fault.description, fault: fault)
    }

    static func rethrowing<Value>(
        _ step: () throws(DecodingFault) -> Value
    ) throws(VipsError) -> Value {
        do {
            return try step()
        } catch {
            throw VipsError(error)
        }
    }
}

/// The first fault of a callback that libvips computes pixels with; libvips itself reports only
/// its own messages.
///
/// The computing thread writes to it while the requesting thread waits, so access never overlaps.
final class CallbackFault {
    private(set) var first: DecodingFault?

    /// Runs a step inside libvips; nil after a fault, which is kept.
    func capturing<Value>(_ step: () throws(DecodingFault) -> Value) -> Value? {
        do {
            return try step()
        } catch {
            if first == nil { first = error }
            return nil
        }
    }
}
