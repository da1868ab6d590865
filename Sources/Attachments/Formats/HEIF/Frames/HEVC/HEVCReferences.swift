/// Reference pictures in libde265's decoded picture buffer (H.265, 8.3.1 and 8.3.2).
///
/// In place of a missing reference, libde265 would create a frame on the heap.
struct HEVCReferences {
    /// Picture order counts.
    private var held: Set<Int> = []
    /// Count from which the next one is derived; nil before the first picture.
    private var base: Int?

    /// The references with a picture added and those dropped that it drops; nil if one is missing.
    func adding(
        _ picture: HEVCSliceStart.PictureOrder, _ header: HEVCUnitHeader, in sequence: HEVCSequence
    ) -> HEVCReferences? {
        guard picture.references.count + picture.longTerm.count < sequence.heldPictures else {
            return nil
        }
        var next = self
        var count = picture.low
        let period = 1 << sequence.pictureOrderBits
        if header.isRandomAccess, header.isRestart || base == nil {
            next.held = []
        } else {
            guard let base else { return nil }
            // The nearest count with these low bits.
            count += base & ~(period - 1)
            if count <= base - period / 2 {
                count += period
            } else if count > base + period / 2 {
                count -= period
            }
        }
        var kept: Set<Int> = [count]
        for reference in picture.longTerm {
            guard let wanted = next.longTerm(reference, of: count, period: period) else {
                return nil
            }
            kept.insert(wanted)
        }
        for reference in picture.references {
            let wanted = count + reference.distance
            if next.held.contains(wanted) {
                kept.insert(wanted)
            } else if reference.isUsed {
                return nil
            }
        }
        next.held = kept
        if header.isOrderBase { next.base = count }
        return next
    }

    /// Count of a long-term reference of the picture with the given count (equation 8-5); nil if
    /// missing or ambiguous.
    private func longTerm(
        _ reference: HEVCLongTermReference, of count: Int, period: Int
    ) -> Int? {
        if let periods = reference.periodsBack {
            let wanted = (count & ~(period - 1)) - periods * period + reference.low
            return held.contains(wanted) ? wanted : nil
        }
        let matches = held.filter { $0 & (period - 1) == reference.low }
        return matches.count == 1 ? matches.first : nil
    }
}
