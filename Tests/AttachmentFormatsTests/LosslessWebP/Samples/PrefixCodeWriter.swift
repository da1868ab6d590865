import Randomness

/// A prefix code for test images and its serialisation.
struct PrefixCodeWriter {
    private let lengths: [Int]
    private let codes: [Int]
    private let used: [Int]

    /// Distribution of code lengths.
    enum Shape: CaseIterable {
        /// Lengths that differ by at most one.
        case balanced
        /// 1, 2, 3 and so on, up to 15 if there are enough symbols.
        case steep
    }

    /// Creates a code for the given symbols; an empty set encodes the first symbol.
    init(_ symbols: Set<Int>, alphabet: Int, _ shape: Shape, _ dice: inout SplitMix64) {
        used = symbols.isEmpty ? [0] : symbols.sorted()
        var lengths = [Int](repeating: 0, count: alphabet)
        var left = used.shuffled(using: &dice)
        var depth = 0
        if shape == .steep {
            // The remaining symbols must fit within the longest length.
            while left.count > 2, left.count - 1 <= 1 << (15 - depth - 1) {
                depth += 1
                lengths[left.removeLast()] = depth
            }
        }
        let width = left.count > 1 ? (left.count - 1).bitWidthNeeded : 0
        let short = 1 << width - left.count
        for (index, symbol) in left.enumerated() {
            lengths[symbol] = depth + (index < short ? width - 1 : width)
        }
        if used.count == 1 { lengths[used[0]] = 1 + dice.roll(0...14) }
        self.lengths = lengths
        codes = Self.canonical(lengths)
    }

    private static func canonical(_ lengths: [Int]) -> [Int] {
        var codes = [Int](repeating: 0, count: lengths.count)
        var code = 0
        for length in 1...15 {
            code <<= 1
            for symbol in lengths.indices where lengths[symbol] == length {
                codes[symbol] = code
                code += 1
            }
        }
        return codes
    }

    /// Writes a symbol, the first bit of its code first.
    func put(_ symbol: Int, to writer: inout BitWriter) {
        guard used.count > 1 else { return }
        for bit in (0..<lengths[symbol]).reversed() { writer.put(codes[symbol] >> bit & 1, 1) }
    }

    /// Writes the code lengths (RFC 9649, section 3.7.2.1).
    func define(in writer: inout BitWriter, _ dice: inout SplitMix64) {
        let isFlat = used.allSatisfy { lengths[$0] == 1 } || used.count == 1
        if used.count <= 2, isFlat, used.allSatisfy({ $0 < 256 }), dice.chance(70) {
            writer.put(1, 1)
            writer.put(used.count - 1, 1)
            let isLong = used[0] > 1 || dice.chance(30)
            writer.put(isLong)
            writer.put(used[0], isLong ? 8 : 1)
            if used.count == 2 { writer.put(used[1], 8) }
            return
        }
        writer.put(0, 1)
        // Trailing lengths may be omitted if the number of lengths is written.
        var items = repetitions(used[used.count - 1] + 1, &dice)
        let isCut = items.count >= 2 && dice.chance(50)
        if !isCut { items = repetitions(lengths.count, &dice) }
        let kinds = Set(items.map(\.symbol))
        let kindCode = PrefixCodeWriter(kinds, alphabet: 19, .balanced, &dice)
        let order = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
        let written = max(4, 1 + (order.lastIndex { kindCode.lengths[$0] > 0 } ?? 0))
        writer.put(written - 4, 4)
        for symbol in order.prefix(written) { writer.put(min(7, kindCode.lengths[symbol]), 3) }
        writer.put(isCut)
        if isCut {
            let width = max(2, (items.count - 2).bitWidthNeeded + 1) / 2 * 2
            writer.put((width - 2) / 2, 3)
            writer.put(items.count - 2, width)
        }
        for item in items {
            kindCode.put(item.symbol, to: &writer)
            writer.put(item.extra, item.bits)
        }
    }

    /// The lengths, with some repeats encoded as such.
    private func repetitions(
        _ count: Int, _ dice: inout SplitMix64
    ) -> [(symbol: Int, extra: Int, bits: Int)] {
        var items: [(symbol: Int, extra: Int, bits: Int)] = []
        var (symbol, last) = (0, 8)
        while symbol < count {
            let length = lengths[symbol]
            let run = lengths[symbol..<count].prefix { $0 == length }.count
            if length == 0, run >= 11, dice.chance(80) {
                let taken = min(run, 138)
                items.append((18, taken - 11, 7))
                symbol += taken
            } else if length == 0, run >= 3, dice.chance(80) {
                let taken = min(run, 10)
                items.append((17, taken - 3, 3))
                symbol += taken
            } else if length == last, run >= 3, length > 0, dice.chance(80) {
                let taken = min(run, 6)
                items.append((16, taken - 3, 2))
                symbol += taken
            } else {
                items.append((length, 0, 0))
                if length > 0 { last = length }
                symbol += 1
            }
        }
        return items
    }
}

extension Int {
    /// Bits needed for the number.
    var bitWidthNeeded: Int { self == 0 ? 0 : Int.bitWidth - leadingZeroBitCount }
}
