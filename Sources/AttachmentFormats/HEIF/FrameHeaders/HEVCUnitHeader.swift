/// NAL unit header (H.265, 7.3.1.2 and table 7-1).
package struct HEVCUnitHeader {
    package static let videoParameters = 32
    package static let sequenceParameters = 33
    package static let pictureParameters = 34

    package let type: Int
    /// Layer; only the base layer 0 is decoded.
    package let layer: Int

    /// Parses a header; nil if the unit is too short.
    package init?(_ unit: ArraySlice<UInt8>) {
        guard unit.count >= 2 else { return nil }
        let (first, second) = (Int(unit[unit.startIndex]), Int(unit[unit.startIndex + 1]))
        type = first >> 1 & 63
        layer = (first & 1) << 5 | second >> 3
    }

    package var isSlice: Bool { type < 32 }
    /// True for a slice of a random access picture (IRAP), which decodes without earlier pictures.
    package var isRandomAccess: Bool { 16...23 ~= type }
    /// True for a slice of an IDR picture, which has no list of reference pictures.
    package var isRefresh: Bool { type == 19 || type == 20 }
}
