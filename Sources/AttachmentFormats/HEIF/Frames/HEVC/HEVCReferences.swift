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
        guard picture.references.count < sequence.heldPictures else { return nil }
        var next = self
        var count = picture.low
        if header.isRandomAccess, header.isRestart || base == nil {
            next.held = []
        } else {
            guard let base else { return nil }
            let period = 1 << sequence.pictureOrderBits
            // The nearest count with these low bits.
            count += base & ~(period - 1)
            if count <= base - period / 2 {
                count += period
            } else if count > base + period / 2 {
                count -= period
            }
        }
        var kept: Set<Int> = [count]
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
}
