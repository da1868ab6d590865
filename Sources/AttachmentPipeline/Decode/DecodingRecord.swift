import AttachmentDecoding

/// Keeps what a decoder of ours threw inside libvips, which carries no errors but its own words, and
/// what it did that the manifest is to say.
///
/// The thread that computes writes to it while the one that asked waits for the result: they never
/// use it at the same time.
final class DecodingRecord {
    /// The first fault.
    private(set) var first: DecodingFault?
    /// What was done to the picture, for the manifest.
    var notes: [String] = []
    /// The frame of an animation that is shown, from 0.
    var frame = 0

    /// Runs a step inside libvips.
    ///
    /// - Parameter step: The step.
    /// - Returns: What it gives; nil when it threw, and the fault is kept.
    func keeping<Value>(_ step: () throws(DecodingFault) -> Value) -> Value? {
        do {
            return try step()
        } catch {
            if first == nil { first = error }
            return nil
        }
    }

    /// Runs a step outside of libvips.
    ///
    /// - Parameter step: The step.
    /// - Returns: What it gives.
    /// - Throws: `VipsError` in place of the fault, which is kept.
    func rethrowing<Value>(
        _ step: () throws(DecodingFault) -> Value
    ) throws(VipsError) -> Value {
        guard let value = keeping(step) else {
            throw VipsError(operation: "decoder", message: first?.description ?? "")
        }
        return value
    }
}
