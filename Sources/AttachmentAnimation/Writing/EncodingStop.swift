internal import AttachmentDecoding

/// Why encoding at a rung of the ladder was given up.
enum EncodingStop: Error {
    /// The output passes the bytes that it may have.
    case overBytes
    /// A pixel that was shown becomes blank, which differences between frames cannot say.
    case blankAgain
    /// Something is wrong, on every rung.
    case fault(AnimationFault)

    /// Passes on what a decoder says.
    ///
    /// - Parameter body: Decodes, or takes memory as decoders do.
    /// - Returns: What it returns.
    /// - Throws: `fault`.
    static func decoding<Result>(
        _ body: () throws(DecodingFault) -> Result
    ) throws(EncodingStop) -> Result {
        do throws(DecodingFault) {
            return try body()
        } catch {
            throw .fault(AnimationFault(error))
        }
    }

    /// Passes on what is wrong on every rung.
    ///
    /// - Parameter body: Does what does not belong to a rung.
    /// - Returns: What it returns.
    /// - Throws: `fault`.
    static func passing<Result>(
        _ body: () throws(AnimationFault) -> Result
    ) throws(EncodingStop) -> Result {
        do throws(AnimationFault) {
            return try body()
        } catch {
            throw .fault(error)
        }
    }
}
