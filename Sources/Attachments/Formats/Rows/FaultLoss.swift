/// Loss by a fault or by a library's message, which determines the result.
package enum FaultLoss: Hashable, Sendable {
    /// No pixel: the picture is made, with the fault's note.
    case nothing(HarmlessFault)
    /// Pixels after the end of the data.
    case rest
    /// Pixels anywhere.
    case pixels
    /// The whole picture, for a feature without a decoder.
    case picture

    /// Code of an error; nil if the picture is made.
    package var code: DecodingFault.Code? {
        switch self {
        case .nothing: nil
        case .rest: .truncated
        case .pixels: .corrupt
        case .picture: .unsupported
        }
    }
}

extension DecodingFault {
    /// Error of a fault that loses pixels; others are notes.
    init(_ loss: FaultLoss, at offset: Int, _ reason: String) {
        self.init(loss.code ?? .corrupt, at: offset, reason)
    }
}
