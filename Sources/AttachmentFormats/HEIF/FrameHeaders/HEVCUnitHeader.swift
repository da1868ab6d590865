/// NAL unit header (H.265, 7.3.1.2 and table 7-1).
struct HEVCUnitHeader {
    static let videoParameters = 32
    static let sequenceParameters = 33
    static let pictureParameters = 34

    let type: Int
    let layer: Int

    init?(_ unit: ArraySlice<UInt8>) {
        guard unit.count >= 2 else { return nil }
        let (first, second) = (Int(unit[unit.startIndex]), Int(unit[unit.startIndex + 1]))
        type = first >> 1 & 63
        layer = (first & 1) << 5 | second >> 3
    }

    var isSlice: Bool { type < 32 }
    /// A slice of a random access picture (IRAP) decodes without earlier pictures.
    var isRandomAccess: Bool { 16...23 ~= type }
    /// A slice of an IDR picture has no list of reference pictures.
    var isRefresh: Bool { type == 19 || type == 20 }
}
