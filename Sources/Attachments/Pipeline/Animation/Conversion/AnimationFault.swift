package import AttachmentFormats

/// Reasons for a failed animation conversion.
///
/// Names no file; the caller that opened the file knows it. `AttachmentError` has the remedy.
package struct AnimationFault: Error, Hashable, Sendable {
    package enum Code: String, Sendable {
        /// The frames cannot be decoded; see `decoding`.
        case undecodable
        case tooManyFrames = "too-many-frames"
        case tooLong = "too-long"
        case tooLarge = "too-large"
        /// No moving rung of the ladder fits both budgets.
        case doesNotFit = "does-not-fit"
        case unwritable
        case cancelled
    }

    package let code: Code
    /// The finding, as a sentence without its full stop.
    package let reason: String
    /// The decoder's fault, if a decoder failed.
    package let decoding: DecodingFault?

    package init(_ code: Code, _ reason: String) {
        (self.code, self.reason, decoding) = (code, reason, nil)
    }

    package init(_ fault: DecodingFault) {
        code = fault.code == .cancelled ? .cancelled : .undecodable
        (reason, decoding) = (fault.reason, fault)
    }

    static func decoding<Result>(
        _ body: () throws(DecodingFault) -> Result
    ) throws(AnimationFault) -> Result {
        do throws(DecodingFault) {
            return try body()
        } catch {
            throw AnimationFault(error)
        }
    }
}

extension AnimationFault: CustomStringConvertible {
    package var description: String { "\(code.rawValue): \(reason)" }
}
