/// The lengths of the codes of an alphabet, from which the canonical codes follow (RFC 9649,
/// section 3.7.2.1).
///
/// One is made for a picture and filled again for every code.
final class CodeLengths {
    /// What it holds on the heap, in bytes.
    static let heldBytes = 3 * PrefixCodeGroup.largestAlphabet + 512

    /// The number of codes of every length; that of unused symbols at 0.
    private(set) var counts = [Int](repeating: 0, count: PrefixTable.longestLength + 1)
    /// The length of the longest code.
    private(set) var longest = 0
    private var lengths = [UInt8](repeating: 0, count: PrefixCodeGroup.largestAlphabet)
    private var sortedSymbols = [UInt16](repeating: 0, count: PrefixCodeGroup.largestAlphabet)
    /// The size of the alphabet.
    private var count = 0

    /// Forgets all lengths.
    ///
    /// - Parameter count: The size of the alphabet, at most the largest.
    func reset(_ count: Int) {
        for symbol in 0..<count { lengths[symbol] = 0 }
        self.count = count
    }

    /// Sets the length of a code; a symbol outside the alphabet has none.
    func set(_ symbol: Int, to length: Int) {
        if symbol < count { lengths[symbol] = UInt8(truncatingIfNeeded: length) }
    }

    /// The length of the code of a symbol, in bits.
    func length(of symbol: Int) -> Int { Int(lengths[symbol]) }

    /// How many symbols have codes.
    var sortedCount: Int { count - counts[0] }

    /// The symbol whose code comes at a place in the canonical order.
    func sorted(_ index: Int) -> Int { Int(sortedSymbols[index]) }

    /// The symbol that is the only one; its code takes no bits, whatever its length.
    var onlySymbol: Int? { sortedCount == 1 ? sorted(0) : nil }

    /// Sorts the symbols.
    ///
    /// - Returns: Whether every sequence of bits begins with exactly one code, or there is but one
    ///   symbol.
    func arrange() -> Bool {
        for length in counts.indices { counts[length] = 0 }
        for symbol in 0..<count { counts[Int(lengths[symbol])] += 1 }
        var places = [Int](repeating: 0, count: counts.count + 1)
        var open = 1
        longest = 0
        for length in 1...PrefixTable.longestLength {
            places[length + 1] = places[length] + counts[length]
            open = open * 2 - counts[length]
            guard open >= 0 else { return false }
            if counts[length] > 0 { longest = length }
        }
        for symbol in 0..<count where lengths[symbol] > 0 {
            let length = Int(lengths[symbol])
            sortedSymbols[places[length]] = UInt16(truncatingIfNeeded: symbol)
            places[length] += 1
        }
        return sortedCount == 1 || open == 0
    }
}
