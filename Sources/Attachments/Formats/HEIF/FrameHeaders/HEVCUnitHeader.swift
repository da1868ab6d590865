/// NAL unit header (H.265, 7.3.1.2 and table 7-1).
struct HEVCUnitHeader {
    static let videoParameters = 32
    static let sequenceParameters = 33
    static let pictureParameters = 34
    static let endOfSequence = 36
    static let endOfBitstream = 37

    let type: Int
    let layer: Int
    /// TemporalId.
    let subLayer: Int

    init?(_ unit: ArraySlice<UInt8>) {
        guard unit.count >= 2 else { return nil }
        let (first, second) = (Int(unit[unit.startIndex]), Int(unit[unit.startIndex + 1]))
        type = first >> 1 & 63
        layer = (first & 1) << 5 | second >> 3
        subLayer = (second & 7) - 1
    }

    var isSlice: Bool { type < 32 }
    /// A slice of a random access picture (IRAP) decodes without earlier pictures.
    var isRandomAccess: Bool { 16...23 ~= type }
    /// A slice of an IDR picture has no list of reference pictures.
    var isRefresh: Bool { type == 19 || type == 20 }
    /// Pictures from here on do not refer to earlier ones: an IDR or BLA picture.
    var isRestart: Bool { 16...20 ~= type }
    /// A base for later picture order counts (H.265, 8.3.1): neither a leading picture nor one that
    /// its own sub-layer does not refer to.
    var isOrderBase: Bool {
        subLayer == 0 && !(6...9 ~= type) && (type > 14 || !type.isMultiple(of: 2))
    }
}
