import AttachmentFormats

/// Records faults of our own decoders inside libvips, which reports only its own messages, and
/// notes for the manifest.
///
/// The computing thread writes to it while the requesting thread waits, so access never overlaps.
final class DecodingRecord {
    private(set) var first: DecodingFault?
    var notes: [String] = []
    /// Index of the animation's frame to show.
    var frame = 0

    /// Runs a step inside libvips; nil after a fault, which is recorded.
    func capturing<Value>(_ step: () throws(DecodingFault) -> Value) -> Value? {
        do {
            return try step()
        } catch {
            if first == nil { first = error }
            return nil
        }
    }

    /// Runs a step outside libvips; throws `VipsError` for a fault, which is recorded.
    func rethrowing<Value>(
        _ step: () throws(DecodingFault) -> Value
    ) throws(VipsError) -> Value {
        guard let value = capturing(step) else {
            throw VipsError(operation: "decoder", message: first?.description ?? "")
        }
        return value
    }
}
