/// First elements of a slice segment header (H.265, 7.3.6.1).
struct HEVCSliceStart {
    static let length = 32

    let isFirst: Bool
    let pictureParameters: Int
    private var bits: SyntaxBits
    private let header: HEVCUnitHeader

    init?(_ unit: ArraySlice<UInt8>, header: HEVCUnitHeader) {
        bits = SyntaxBits(nalUnit: unit)
        self.header = header
        isFirst = bits.flag()
        if header.isRandomAccess { bits.skip(1) }
        pictureParameters = bits.unsignedGolomb()
        guard !bits.isOverrun else { return nil }
    }

    /// For entries in the reference list, libde265 would create frames on the heap.
    func hasNoReferences(_ sets: HEVCParameterSets.Selection) -> Bool {
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
        // The list must be in the slice and empty.
        let isListed = bits.flag()
        let (before, after) = (bits.unsignedGolomb(), bits.unsignedGolomb())
        return !isListed && before == 0 && after == 0 && !bits.isOverrun
    }
}
