internal import AttachmentIntake

/// The first elements of a slice segment header (H.265, 7.3.6.1).
struct HEVCSliceStart {
    /// What is read of a slice to know them, in bytes.
    static let length = 32

    /// Whether a picture begins here.
    let isFirst: Bool
    /// The number of its picture parameter set.
    let pictureParameters: Int
    private var bits: HEVCBits
    private let header: HEVCUnitHeader

    /// Reads a slice; nil when it is shorter.
    ///
    /// - Parameters:
    ///   - unit: The first bytes of the NAL unit.
    ///   - header: Its header.
    init?(_ unit: ArraySlice<UInt8>, header: HEVCUnitHeader) {
        bits = HEVCBits(unit)
        self.header = header
        isFirst = bits.flag()
        if header.isRandomAccess { bits.skip(1) }
        pictureParameters = bits.unsignedGolomb()
        guard !bits.isOverrun else { return nil }
    }

    /// Whether the picture needs no other one, not even in the list that libde265 would invent
    /// frames for, on the heap.
    ///
    /// - Parameter sets: What the slice uses.
    /// - Returns: Whether it can be decoded alone.
    func standsAlone(_ sets: HEVCParameterSets.Selection) -> Bool {
        if header.isRefresh { return true }
        guard header.isRandomAccess, sets.sequence.referenceSets == 0,
            !sets.sequence.hasLongTermReferences
        else { return false }
        var bits = bits
        bits.skip(sets.picture.extraSliceBits)
        _ = bits.unsignedGolomb()
        if sets.picture.hasOutputFlag { bits.skip(1) }
        if sets.sequence.hasSeparatePlanes { bits.skip(2) }
        bits.skip(sets.sequence.pictureOrderBits)
        // The list is in the slice, and empty: no pictures before it, none after it.
        let isListed = bits.flag()
        let (before, after) = (bits.unsignedGolomb(), bits.unsignedGolomb())
        return !isListed && before == 0 && after == 0 && !bits.isOverrun
    }
}
