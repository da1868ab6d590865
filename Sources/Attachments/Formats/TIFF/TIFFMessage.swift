/// A message of libtiff 4.5, known by its module and its first words, and its loss.
///
/// libtiff has no codes. It reads a reduced directory, so messages about other tags do not occur.
package struct TIFFMessage: Sendable {
    package let isError: Bool
    /// First characters of the module's name.
    package let module: String
    /// First words; empty for all.
    package let words: String
    package let loss: FaultLoss

    /// The first match applies.
    package static let known = [
        // libjpeg reports only the first fault of a strip or tile, so others may follow any.
        warning("JPEGLib", "Premature end of JPEG file", .rest),
        warning("JPEGLib", "Corrupt JPEG data: premature end of data segment", .rest),
        warning("JPEGLib", "", .pixels),
        // Rows or columns that the JPEG lacks would stay blank.
        warning("JPEGPreDecode", "Improper JPEG strip/tile size", .rest),
        warning("JPEGPreDecode", "JPEG strip size exceeds", .nothing(.surplusPixels)),
        warning("JPEGFixupTagsSubsampling", "Auto-corrected", .nothing(.directory)),
        warning("Fax", "Premature EOF", .rest),
        warning("Fax", "", .pixels),
        warning("LZWPreDecode", "Old-style LZW codes", .nothing(.oldLZW)),
        warning("PackBitsDecode", "Terminating", .rest),
        warning("PackBitsDecode", "Discarding", .nothing(.surplusPixels)),
        warning("TIFFReadDirectory", "", .nothing(.directory)),
        warning("TIFFFetch", "", .nothing(.directory)),
        warning("", "", .pixels),
        error("", "Not enough data", .rest),
        error("LZWDecode", "LZWDecode: Strip", .rest),
        error("", "", .pixels),
    ]

    static func loss(isError: Bool, module: String, text: String) -> FaultLoss {
        known.first {
            $0.isError == isError && module.hasPrefix($0.module) && text.hasPrefix($0.words)
        }?.loss ?? .pixels
    }

    private static func warning(
        _ module: String, _ words: String, _ loss: FaultLoss
    ) -> TIFFMessage {
        TIFFMessage(isError: false, module: module, words: words, loss: loss)
    }

    private static func error(_ module: String, _ words: String, _ loss: FaultLoss) -> TIFFMessage {
        TIFFMessage(isError: true, module: module, words: words, loss: loss)
    }
}

/// Messages of libtiff during one call.
final class TIFFMessages {
    /// First message about lost pixels.
    private(set) var damage: (loss: FaultLoss, text: String)?
    private(set) var harmless: Set<HarmlessFault> = []

    func clear() {
        damage = nil
        harmless = []
    }

    func add(isError: Bool, module: String, text: String) {
        let loss = TIFFMessage.loss(isError: isError, module: module, text: text)
        if case .nothing(let fault) = loss {
            harmless.insert(fault)
        } else if damage == nil {
            damage = (loss, text)
        }
    }

    /// Error of a failed call, or of one that lost pixels.
    func fault(at offset: Int) -> DecodingFault {
        guard let damage else { return DecodingFault(.corrupt, at: offset, "libtiff failed") }
        return DecodingFault(damage.loss, at: offset, damage.text)
    }
}
