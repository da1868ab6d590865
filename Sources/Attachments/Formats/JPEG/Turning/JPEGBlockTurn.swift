import AttachmentModel

/// Mirrors and transposes blocks of coefficients, each of 64 in zigzag order.
///
/// The cosine of an odd frequency changes its sign in a mirrored block, and a transposed block has
/// transposed frequencies (T.81, A.3.3).
struct JPEGBlockTurn {
    /// Position after turning, for each position before.
    private let positions: [UInt8]
    /// Mask of the positions that change their sign.
    private let negated: UInt64

    init(_ orientation: Orientation) {
        positions = orientation.exchangesSides ? Self.transposed : (0..<64).map(UInt8.init)
        let (across, down) = orientation.reversals
        var negated: UInt64 = 0
        for (index, position) in JPEGReducedTransform.zigzag.enumerated() {
            let isOdd = across && position % 2 == 1
            // Odd in both directions keeps the sign when both are mirrored.
            if isOdd != (down && position / 8 % 2 == 1) { negated |= 1 << UInt64(index) }
        }
        self.negated = negated
    }

    /// Writes all 64 coefficients of `target`; `mask` has the AC coefficients that are not zero.
    func apply(
        _ source: UnsafePointer<Int16>, mask: UInt64, to target: UnsafeMutablePointer<Int16>
    ) {
        target.update(repeating: 0, count: 64)
        target[0] = source[0]
        var rest = mask & ~1
        while rest != 0 {
            let position = rest.trailingZeroBitCount
            rest &= rest &- 1
            let value = source[position]
            // Only hostile files have −32768, which stays.
            target[Int(positions[position])] =
                negated &>> UInt64(position) & 1 == 0 ? value : 0 &- value
        }
    }

    /// Transposes a quantisation table if blocks are.
    func apply(_ table: JPEGQuantisationTable) -> JPEGQuantisationTable {
        var divisors = table.divisors
        for (source, target) in positions.enumerated() {
            divisors[Int(target)] = table.divisors[source]
        }
        return JPEGQuantisationTable(divisors: divisors)
    }

    private static let transposed: [UInt8] = {
        let zigzag = JPEGReducedTransform.zigzag
        var order = [UInt8](repeating: 0, count: 64)
        for (index, position) in zigzag.enumerated() { order[position] = UInt8(index) }
        return zigzag.map { order[$0 % 8 * 8 + $0 / 8] }
    }()
}
