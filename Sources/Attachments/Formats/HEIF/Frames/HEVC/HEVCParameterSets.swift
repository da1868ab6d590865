/// Held until the first slice names those in use, because libde265 builds tables of a quarter of a
/// byte per pixel for each picture parameter set.
struct HEVCParameterSets {
    /// Limit on all sets together, in bytes: a hundred times what encoders write.
    static let ceiling = 64 << 10

    private var video: [UInt8] = []
    private var sequences: [Int: [UInt8]] = [:]
    private var pictures: [Int: [UInt8]] = [:]
    private var total = 0

    /// False if there is no room.
    mutating func store(_ unit: ArraySlice<UInt8>) -> Bool {
        guard let header = HEVCUnitHeader(unit), header.layer == 0, !contains(unit) else {
            return true
        }
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

    func contains(_ unit: ArraySlice<UInt8>) -> Bool {
        video[...] == unit || sequences.values.contains { $0[...] == unit }
            || pictures.values.contains { $0[...] == unit }
    }

    /// True if another set of its kind has the same number.
    func replacesAnother(_ unit: ArraySlice<UInt8>) -> Bool {
        guard let header = HEVCUnitHeader(unit), header.layer == 0, !contains(unit) else {
            return false
        }
        switch header.type {
        case HEVCUnitHeader.sequenceParameters:
            return HEVCSequence(unit).map { sequences[$0.identifier] != nil } ?? false
        case HEVCUnitHeader.pictureParameters:
            return HEVCPicture(unit).map { pictures[$0.identifier] != nil } ?? false
        default: return false
        }
    }

    struct Selection {
        var units: [[UInt8]]
        var sequence: HEVCSequence
        var picture: HEVCPicture
    }

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
    let identifier: Int
    let sequence: Int
    let hasOutputFlag: Bool
    let extraSliceBits: Int

    init?(_ unit: ArraySlice<UInt8>) {
        var bits = SyntaxBits(nalUnit: unit)
        identifier = bits.unsignedGolomb()
        sequence = bits.unsignedGolomb()
        bits.skip(1)
        hasOutputFlag = bits.flag()
        extraSliceBits = bits.bits(3)
        guard !bits.isOverrun, identifier < 64, sequence < 16 else { return nil }
    }
}
