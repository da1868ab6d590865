/// Long-term reference picture of a slice (H.265, 7.3.6.1 and 7.4.7.1).
///
/// Unlike a short-term one, it can be of any age. libde265 creates a frame in place of a missing one
/// even if only later pictures need it.
struct HEVCLongTermReference {
    /// Low bits of the picture order count.
    let low: Int
    /// Difference of the high bits to the picture's, in periods of the low bits; nil if the low bits
    /// identify the reference.
    var periodsBack: Int?

    /// Limit on candidates of a sequence (H.265, 7.4.3.2.1).
    private static let maximumCandidates = 32

    /// Limit on `periodsBack`; counts have 32 bits, and low bits are at least four.
    private static let maximumPeriods = 1 << 28

    /// Parses the candidates of a sequence parameter set (7.3.2.2.1); none if there are too many.
    static func candidates(_ bits: inout SyntaxBits, orderBits: Int) -> [HEVCLongTermReference]? {
        let count = bits.unsignedGolomb()
        guard count <= maximumCandidates else {
            bits.fail()
            return nil
        }
        return (0..<count).map { _ in HEVCLongTermReference(&bits, orderBits: orderBits) }
    }

    /// Parses the references of a slice, after the short-term ones; nil if malformed.
    static func references(
        _ bits: inout SyntaxBits, from candidates: [HEVCLongTermReference], orderBits: Int
    ) -> [HEVCLongTermReference]? {
        let chosen = candidates.isEmpty ? 0 : bits.unsignedGolomb()
        let stated = bits.unsignedGolomb()
        guard chosen + stated <= HEVCReferenceSet.maximumReferences else { return nil }
        let last = candidates.count - 1
        let indexBits = last > 0 ? Int.bitWidth - last.leadingZeroBitCount : 0
        var references: [HEVCLongTermReference] = []
        var periods = 0
        for number in 0..<chosen + stated {
            var reference: HEVCLongTermReference
            if number < chosen {
                let index = bits.bits(indexBits)
                guard index < candidates.count else { return nil }
                reference = candidates[index]
            } else {
                reference = HEVCLongTermReference(&bits, orderBits: orderBits)
            }
            // Differences add up, within each kind (equation 7-52).
            if number == chosen { periods = 0 }
            if bits.flag() {
                periods += bits.unsignedGolomb()
                guard periods <= maximumPeriods else { return nil }
                reference.periodsBack = periods
            }
            references.append(reference)
        }
        return references
    }

    init(low: Int, periodsBack: Int?) {
        (self.low, self.periodsBack) = (low, periodsBack)
    }

    private init(_ bits: inout SyntaxBits, orderBits: Int) {
        low = bits.bits(orderBits)
        // used_by_curr_pic_lt_flag
        bits.skip(1)
    }
}
