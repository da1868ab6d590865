/// Parameter sets of a picture, held until the first slice names those in use.
///
/// libde265 builds tables of a quarter of a byte per pixel for each picture parameter set. It
/// therefore receives only those in use.
struct HEVCParameterSets {
    /// Limit on all sets together, in bytes: a hundred times what encoders write.
    private static let ceiling = 64 << 10

    private var video: [UInt8] = []
    private var sequences: [Int: [UInt8]] = [:]
    private var pictures: [Int: [UInt8]] = [:]
    private var total = 0

    /// Limit on one parameter set, in bytes.
    static var maximumLength: Int { ceiling }

    /// Stores a parameter set, replacing one with the same number; false if there is no room.
    ///
    /// Other NAL units are ignored.
    mutating func store(_ unit: ArraySlice<UInt8>) -> Bool {
        guard let header = HEVCUnitHeader(unit), header.layer == 0 else { return true }
        total += unit.count
        guard total <= Self.ceiling else { return false }
        switch header.type {
        case HEVCUnitHeader.videoParameters: video = Array(unit)
        case HEVCUnitHeader.sequenceParameters:
            guard let sequence = HEVCSequence(unit) else { return true }
            sequences[sequence.identifier] = Array(unit)
        case HEVCUnitHeader.pictureParameters:
            guard let picture = HEVCPicture(unit) else { return true }
            pictures[picture.identifier] = Array(unit)
        default: break
        }
        return true
    }

    /// Sets used by a slice.
    struct Selection {
        /// NAL units in decoding order.
        var units: [[UInt8]]
        var sequence: HEVCSequence
        var picture: HEVCPicture
    }

    /// Returns the sets of a slice; nil if one is missing or malformed.
    func selection(pictureParameters identifier: Int) -> Selection? {
        guard let pictureUnit = pictures[identifier], let picture = HEVCPicture(pictureUnit[...]),
            let sequenceUnit = sequences[picture.sequence],
            let sequence = HEVCSequence(sequenceUnit[...])
        else { return nil }
        let units = [video, sequenceUnit, pictureUnit].filter { !$0.isEmpty }
        return Selection(units: units, sequence: sequence, picture: picture)
    }
}

/// First elements of a picture parameter set (H.265, 7.3.2.3.1).
struct HEVCPicture {
    /// Number that slices refer to.
    let identifier: Int
    /// Number of its sequence parameter set.
    let sequence: Int
    /// True if slice headers have `pic_output_flag`.
    let hasOutputFlag: Bool
    /// Extension bits in slice headers.
    let extraSliceBits: Int

    /// Returns nil for a malformed NAL unit.
    init?(_ unit: ArraySlice<UInt8>) {
        var bits = HEVCBits(unit)
        identifier = bits.unsignedGolomb()
        sequence = bits.unsignedGolomb()
        bits.skip(1)
        hasOutputFlag = bits.flag()
        extraSliceBits = bits.bits(3)
        guard !bits.isOverrun, identifier < 64, sequence < 16 else { return nil }
    }
}
