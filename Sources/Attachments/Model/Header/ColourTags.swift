/// Colours of a picture by code points or numbers in its file, without a profile.
///
/// Only tags with another meaning than sRGB are kept.
package struct ColourTags: Sendable, Hashable {
    package let chromaticities: Chromaticities
    package let transfer: TransferFunction
    /// The ignored part, for the manifest; nil if every tag is understood.
    package let note: String?

    /// Nil for sRGB without a note.
    package init?(
        _ chromaticities: Chromaticities?, _ transfer: TransferFunction?, note: String? = nil
    ) {
        self.chromaticities = chromaticities ?? .bt709
        self.transfer = transfer ?? .sRGB
        self.note = note
        guard note != nil || self.chromaticities != .bt709 || self.transfer != .sRGB
        else { return nil }
    }

    /// Code points of ITU-T H.273; 2 is unspecified, and counts as sRGB.
    package init?(primaries: Int, transfer: Int) {
        let known = (Chromaticities(primaries: primaries), TransferFunction(codePoint: transfer))
        let unknown =
            (known.0 == nil && primaries != 2 ? ["colour primaries \(primaries)"] : [])
            + (known.1 == nil && transfer != 2 ? ["transfer characteristics \(transfer)"] : [])
        let isHDR = known.1 == .pq || known.1 == .hlg
        self.init(
            // High dynamic range is defined with the primaries of BT.2020 (BT.2100).
            known.0 ?? (isHDR ? .bt2020 : nil), known.1,
            note: unknown.isEmpty
                ? nil
                : "reserved \(unknown.joined(separator: " and ")) were taken for those of sRGB")
    }

    /// True for PQ and HLG, which are tone-mapped by the decoder.
    package var isHighDynamicRange: Bool { transfer == .pq || transfer == .hlg }

    /// True if samples of the model have another meaning than in sRGB; grey has no primaries.
    package func changesColours(isGrey: Bool) -> Bool {
        transfer != .sRGB || !isGrey && chromaticities != .bt709
    }
}

/// Meaning of a sample as light (H.273, table 3).
package enum TransferFunction: Sendable, Hashable {
    case sRGB
    /// A power of the sample; 1 is linear.
    case gamma(Double)
    case smpte240M
    /// Logarithmic, over so many powers of ten.
    case logarithmic(Double)
    case st428
    case pq
    case hlg

    /// Nil for unspecified and reserved code points.
    ///
    /// 1, 6, 11, 12, 14 and 15 are the camera's function of BT.709. Pictures are graded on displays, so
    /// it is taken for sRGB's, as by Chromium: its inverse would show all pictures darker.
    package init?(codePoint: Int) {
        switch codePoint {
        case 1, 6, 11, 12, 13, 14, 15: self = .sRGB
        case 4: self = .gamma(2.2)
        case 5: self = .gamma(2.8)
        case 7: self = .smpte240M
        case 8: self = .gamma(1)
        case 9: self = .logarithmic(2)
        case 10: self = .logarithmic(2.5)
        case 16: self = .pq
        case 17: self = .st428
        case 18: self = .hlg
        default: return nil
        }
    }
}
