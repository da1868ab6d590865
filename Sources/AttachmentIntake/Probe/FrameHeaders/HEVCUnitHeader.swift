/// The header of a NAL unit (H.265, 7.3.1.2 and table 7-1).
package struct HEVCUnitHeader {
    /// The type of video parameter sets.
    package static let videoParameters = 32
    /// The type of sequence parameter sets.
    package static let sequenceParameters = 33
    /// The type of picture parameter sets.
    package static let pictureParameters = 34

    /// What the unit holds.
    package let type: Int
    /// The layer of a picture in several layers; 0 for the base, which alone is decoded.
    package let layer: Int

    /// Reads a header; nil when the unit is shorter.
    ///
    /// - Parameter unit: The first bytes of a NAL unit.
    package init?(_ unit: ArraySlice<UInt8>) {
        guard unit.count >= 2 else { return nil }
        let (first, second) = (Int(unit[unit.startIndex]), Int(unit[unit.startIndex + 1]))
        type = first >> 1 & 63
        layer = (first & 1) << 5 | second >> 3
    }

    /// Whether it is a slice of a picture.
    package var isSlice: Bool { type < 32 }
    /// Whether it is a slice of a picture that is decoded without any before it.
    package var isRandomAccess: Bool { 16...23 ~= type }
    /// Whether it is a slice of a picture that no later one looks behind (IDR): it has no list of
    /// reference pictures.
    package var isRefresh: Bool { type == 19 || type == 20 }
}
