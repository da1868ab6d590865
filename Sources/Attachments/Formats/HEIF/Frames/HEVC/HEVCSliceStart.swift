/// First elements of a slice segment header (H.265, 7.3.6.1).
struct HEVCSliceStart {
    /// Bytes that hold these elements with the longest list of references.
    static let length = 256

    let isFirst: Bool
    let pictureParameters: Int
    let header: HEVCUnitHeader
    private var bits: SyntaxBits

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
        guard header.isRandomAccess, let order = pictureOrder(sets) else { return false }
        return order.references.isEmpty && order.longTerm.isEmpty
    }

    struct PictureOrder {
        /// Low bits of the picture order count.
        let low: Int
        let references: [HEVCReferenceSet.Reference]
        var longTerm: [HEVCLongTermReference] = []
    }

    /// Parses a first slice further; nil if malformed.
    func pictureOrder(_ sets: HEVCParameterSets.Selection) -> PictureOrder? {
        if header.isRefresh { return PictureOrder(low: 0, references: []) }
        let sequence = sets.sequence
        var bits = bits
        bits.skip(sets.picture.extraSliceBits)
        _ = bits.unsignedGolomb()
        if sets.picture.hasOutputFlag { bits.skip(1) }
        if sequence.hasSeparatePlanes { bits.skip(2) }
        let low = bits.bits(sequence.pictureOrderBits)
        var set: HEVCReferenceSet?
        if bits.flag() {
            let last = sequence.referenceSets.count - 1
            let index = bits.bits(last > 0 ? Int.bitWidth - last.leadingZeroBitCount : 0)
            set = index <= last ? sequence.referenceSets[index] : nil
        } else {
            set = HEVCReferenceSet(&bits, after: sequence.referenceSets, isInSlice: true)
        }
        guard let set else { return nil }
        var longTerm: [HEVCLongTermReference] = []
        if let candidates = sequence.longTermCandidates {
            guard
                let references = HEVCLongTermReference.references(
                    &bits, from: candidates, orderBits: sequence.pictureOrderBits)
            else { return nil }
            longTerm = references
        }
        guard !bits.isOverrun else { return nil }
        return PictureOrder(low: low, references: set.references, longTerm: longTerm)
    }
}
