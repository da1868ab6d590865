extension JPEGHuffmanSpecification {
    /// Longest code of a JPEG, in bits.
    private static let longest = 16

    /// The table with the shortest codes for symbols of these frequencies (T.81, K.2), the same as
    /// libjpeg's; empty without symbols.
    init(optimalFor frequencies: ArraySlice<UInt32>) {
        let symbols = frequencies.indices.filter { frequencies[$0] > 0 }
        guard !symbols.isEmpty else {
            self.init(counts: Array(repeating: 0, count: Self.longest), symbols: [])
            return
        }
        // One more symbol, last of all, takes the code of ones alone, which is not allowed.
        let lengths = Self.lengths(symbols.map { Int(frequencies[$0]) } + [1])
        var counts = Self.limited(lengths)
        if let last = counts.lastIndex(where: { $0 > 0 }) { counts[last] -= 1 }
        let order = symbols.indices.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
        self.init(
            counts: counts.dropFirst().map(UInt8.init),
            symbols: order.map { UInt8(symbols[$0] - frequencies.startIndex) })
    }

    /// Length of each symbol's code, of any number of bits (T.81, figure K.1).
    private static func lengths(_ frequencies: [Int]) -> [Int] {
        var lengths = Array(repeating: 0, count: frequencies.count)
        // Trees with their symbols; the later of two equally frequent ones comes first.
        var trees = frequencies.enumerated().map { (frequency: $1, symbols: [$0]) }
        while trees.count > 1 {
            let least = takeRarest(&trees)
            let other = takeRarest(&trees)
            for symbol in least.tree.symbols + other.tree.symbols { lengths[symbol] += 1 }
            let merged = (
                frequency: least.tree.frequency + other.tree.frequency,
                symbols: least.tree.symbols + other.tree.symbols
            )
            trees.insert(merged, at: least.index - (other.index < least.index ? 1 : 0))
        }
        return lengths
    }

    private static func takeRarest(
        _ trees: inout [(frequency: Int, symbols: [Int])]
    ) -> (index: Int, tree: (frequency: Int, symbols: [Int])) {
        var rarest = 0
        for index in trees.indices where trees[index].frequency <= trees[rarest].frequency {
            rarest = index
        }
        return (rarest, trees.remove(at: rarest))
    }

    /// Number of codes of each length from 0 to 16, with longer ones shortened (T.81, figure K.3).
    private static func limited(_ lengths: [Int]) -> [Int] {
        var counts = Array(repeating: 0, count: max(longest, lengths.max() ?? 0) + 1)
        for length in lengths { counts[length] += 1 }
        for length in stride(from: counts.count - 1, to: longest, by: -1) {
            while counts[length] > 0 {
                // A shorter code exists, because the codes of one length never fill the tree.
                var shorter = length - 2
                while counts[shorter] == 0 { shorter -= 1 }
                counts[length] -= 2
                counts[length - 1] += 1
                counts[shorter + 1] += 2
                counts[shorter] -= 1
            }
        }
        return Array(counts.prefix(longest + 1))
    }
}
