internal import AttachmentIntake

/// The parameter sets of a picture, kept back until a slice tells which it uses.
///
/// libde265 builds tables of a quarter of a byte a pixel for each picture parameter set, so that it
/// gets those alone that are in use.
struct HEVCParameterSets {
    /// What all sets may take, in bytes: a hundred times what encoders write.
    private static let ceiling = 64 << 10

    private var video: [UInt8] = []
    private var sequences: [Int: [UInt8]] = [:]
    private var pictures: [Int: [UInt8]] = [:]
    private var total = 0

    /// The largest length of a parameter set, in bytes.
    static var maximumLength: Int { ceiling }

    /// Keeps a parameter set, instead of an earlier one of the same number.
    ///
    /// - Parameter unit: A NAL unit; others than parameter sets are passed over.
    /// - Returns: Whether there was room.
    mutating func keep(_ unit: ArraySlice<UInt8>) -> Bool {
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

    /// The sets that a slice uses.
    struct Selection {
        /// The NAL units, in the order in which a decoder wants them.
        var units: [[UInt8]]
        /// What the sequence parameter set says.
        var sequence: HEVCSequence
        /// What the picture parameter set says.
        var picture: HEVCPicture
    }

    /// Looks the sets of a slice up; nil when one is missing.
    ///
    /// - Parameter identifier: The number of the picture parameter set.
    /// - Returns: The sets.
    func selection(pictureParameters identifier: Int) -> Selection? {
        guard let pictureUnit = pictures[identifier], let picture = HEVCPicture(pictureUnit[...]),
            let sequenceUnit = sequences[picture.sequence],
            let sequence = HEVCSequence(sequenceUnit[...])
        else { return nil }
        let units = [video, sequenceUnit, pictureUnit].filter { !$0.isEmpty }
        return Selection(units: units, sequence: sequence, picture: picture)
    }
}

/// The first elements of a picture parameter set (H.265, 7.3.2.3.1).
struct HEVCPicture {
    /// The number that slices name it by.
    let identifier: Int
    /// The number of its sequence parameter set.
    let sequence: Int
    /// Whether slices say whether their picture is output.
    let hasOutputFlag: Bool
    /// How many bits slices have for extensions.
    let extraSliceBits: Int

    /// Reads a picture parameter set; nil when it breaks the rules.
    ///
    /// - Parameter unit: The NAL unit.
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
