/// Determines the canonical codes (RFC 9649, section 3.7.2.1); reused for all codes of an image.
final class CodeLengths {
    /// Number of codes of each length; index 0 counts unused symbols.
    private(set) var counts = [Int](repeating: 0, count: PrefixTable.longestLength + 1)
    private(set) var longest = 0
    private var lengths = [UInt8](repeating: 0, count: PrefixCodeGroup.largestAlphabet)
    private var sortedSymbols = [UInt16](repeating: 0, count: PrefixCodeGroup.largestAlphabet)
    private var count = 0

    func reset(_ count: Int) {
        for symbol in 0..<count { lengths[symbol] = 0 }
        self.count = count
    }

    /// Sets the length of a symbol's code; ignores symbols outside the alphabet.
    func set(_ symbol: Int, to length: Int) {
        if symbol < count { lengths[symbol] = UInt8(truncatingIfNeeded: length) }
    }

    func length(of symbol: Int) -> Int { Int(lengths[symbol]) }

    var sortedCount: Int { count - counts[0] }

    func sorted(_ index: Int) -> Int { Int(sortedSymbols[index]) }

    /// The only symbol with a code; such a code takes no bits, whatever its stored length.
    var onlySymbol: Int? { sortedCount == 1 ? sorted(0) : nil }

    /// True if the code is complete or has a single symbol.
    func arrange() -> Bool {
        for length in counts.indices { counts[length] = 0 }
        for symbol in 0..<count { counts[Int(lengths[symbol])] += 1 }
        var offsets = [Int](repeating: 0, count: counts.count + 1)
        var open = 1
        longest = 0
        for length in 1...PrefixTable.longestLength {
            offsets[length + 1] = offsets[length] + counts[length]
            open = open * 2 - counts[length]
            guard open >= 0 else { return false }
            if counts[length] > 0 { longest = length }
        }
        for symbol in 0..<count where lengths[symbol] > 0 {
            let length = Int(lengths[symbol])
            sortedSymbols[offsets[length]] = UInt16(truncatingIfNeeded: symbol)
            offsets[length] += 1
        }
        return sortedCount == 1 || open == 0
    }
}
