internal import AttachmentModel

/// Colour description as code points of ITU-T H.273 (ISO/IEC 23091-2).
struct CodedColours: Sendable, Hashable {
    /// ColourPrimaries (H.273, table 2).
    var primaries: Int
    /// TransferCharacteristics (H.273, table 3).
    var transfer: Int
    /// MatrixCoefficients (H.273, table 4).
    var matrix: Int
    var isFullRange: Bool
}

extension CodedColours {
    /// Nil for sRGB; the matrix and the range are converted by the decoder.
    func tags(isGrey: Bool) -> ColourTags? {
        guard let tags = ColourTags(primaries: primaries, transfer: transfer),
            tags.note != nil || tags.changesColours(isGrey: isGrey)
        else { return nil }
        return tags
    }

    /// Parses a `colr` box of type `nclx` after its type (ISO/IEC 14496-12, 12.1.5).
    init(_ payload: inout Cursor) throws(HeaderFault) {
        primaries = Int(try payload.uint16())
        transfer = Int(try payload.uint16())
        matrix = Int(try payload.uint16())
        isFullRange = try payload.uint8() & 0x80 != 0
    }
}
