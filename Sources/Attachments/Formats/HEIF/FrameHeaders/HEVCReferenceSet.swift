/// Short-term reference pictures of a picture (H.265, 7.3.7 and 7.4.8).
struct HEVCReferenceSet {
    struct Reference {
        /// Picture order count, relative to the picture.
        let distance: Int
        /// False if only later pictures need it.
        let isUsed: Bool
    }

    /// Earlier pictures first, then later ones, each beginning with the nearest.
    private(set) var references: [Reference] = []

    /// Limit of libde265 and on any decoded picture buffer (H.265, A.4.2).
    static let maximumReferences = 16

    /// Parses the set that follows `others`; nil if malformed.
    init?(_ bits: inout SyntaxBits, after others: [HEVCReferenceSet], isInSlice: Bool) {
        if !others.isEmpty, bits.flag() {
            self.init(&bits, predictedFrom: others, isInSlice: isInSlice)
        } else {
            self.init(&bits)
        }
    }

    private init?(_ bits: inout SyntaxBits) {
        let (earlier, later) = (bits.unsignedGolomb(), bits.unsignedGolomb())
        guard earlier + later <= Self.maximumReferences else { return nil }
        for (count, sign) in [(earlier, -1), (later, 1)] {
            var distance = 0
            for _ in 0..<count {
                distance += sign * (bits.unsignedGolomb() + 1)
                references.append(Reference(distance: distance, isUsed: bits.flag()))
            }
        }
        guard isPlausible, !bits.isOverrun else { return nil }
    }

    /// Derives the set from another one (H.265, equations 7-61 and 7-62).
    private init?(
        _ bits: inout SyntaxBits, predictedFrom others: [HEVCReferenceSet], isInSlice: Bool
    ) {
        let back = isInSlice ? bits.unsignedGolomb() + 1 : 1
        guard back <= others.count else { return nil }
        let isNegative = bits.flag()
        let size = bits.unsignedGolomb() + 1
        let shift = isNegative ? -size : size
        // The last one is the picture of the other set itself.
        let candidates = others[others.count - back].references.map(\.distance) + [0]
        for candidate in candidates {
            let isUsed = bits.flag()
            guard isUsed || bits.flag() else { continue }
            let distance = candidate + shift
            if distance != 0 { references.append(Reference(distance: distance, isUsed: isUsed)) }
        }
        let earlier = references.filter { $0.distance < 0 }.sorted { $0.distance > $1.distance }
        let later = references.filter { $0.distance > 0 }.sorted { $0.distance < $1.distance }
        references = earlier + later
        guard references.count <= Self.maximumReferences, isPlausible, !bits.isOverrun else {
            return nil
        }
    }

    /// Distances have 16 bits (H.265, 7.4.8); longer ones would add up beyond any integer.
    private var isPlausible: Bool { references.allSatisfy { abs($0.distance) <= 1 << 16 } }
}
