internal import AttachmentFormats

/// Reasons for aborting the encoding of a rung.
enum EncodingStop: Error {
    /// The output exceeds its size limit.
    case overBytes
    /// A visible pixel becomes blank, which frame differences cannot express.
    case needsWholeFrames
    /// A fault that affects every rung.
    case fault(AnimationFault)

    static func decoding<Result>(
        _ body: () throws(DecodingFault) -> Result
    ) throws(EncodingStop) -> Result {
        try rethrowing { () throws(AnimationFault) in try AnimationFault.decoding(body) }
    }

    static func rethrowing<Result>(
        _ body: () throws(AnimationFault) -> Result
    ) throws(EncodingStop) -> Result {
        do throws(AnimationFault) {
            return try body()
        } catch {
            throw .fault(error)
        }
    }
}
