import Randomness

/// A zlib stream of blocks with random codes (RFC 1951, 3.2.7), which no encoder would choose: codes of
/// any lengths for any symbols, one distance or none, and matches of every length.
struct DynamicBlocks {
    private(set) var bytes: [UInt8] = []
    private var bits = BitWriter()
    private var written = 0
    private var random: SplitMix64

    init(seed: Int) {
        random = SplitMix64(seed: UInt64(seed))
        let blocks = 1 + below(4)
        for block in 1...blocks { writeBlock(isLast: block == blocks) }
        // A wrong checksum follows the last bits.
        bytes = [0x78, 0x9C] + bits.finished() + [1, 2, 3, 4]
    }

    private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    private mutating func writeBlock(isLast: Bool) {
        let literals = code(of: 257 + below(30), used: below(3) == 0 ? 2 + below(10) : 257)
        let distances = code(of: 1 + below(30), used: below(4) == 0 ? 1 : 30)
        bits.put(isLast ? 1 : 0, 1)
        bits.put(2, 2)
        bits.put(literals.count - 257, 5)
        bits.put(distances.count - 1, 5)
        // Four bits for each of the lengths 0 to 15, and no repeats.
        bits.put(15, 4)
        for position in 0..<19 { bits.put(position < 3 ? 0 : 4, 3) }
        for length in literals.map(\.length) + distances.map(\.length) {
            bits.put(reversed(length, 4), 4)
        }
        let symbols = literals.indices.filter { literals[$0].length > 0 && $0 != 256 }
        let places = distances.indices.filter { distances[$0].length > 0 }
        for _ in 0..<below(2000) where !symbols.isEmpty {
            let symbol = symbols[below(symbols.count)]
            guard symbol > 256 else {
                bits.put(literals[symbol].bits, literals[symbol].length)
                written += 1
                continue
            }
            let place = places[below(places.count)]
            let extra = place < 4 ? 0 : place / 2 - 1
            let base = place < 4 ? place + 1 : (2 + place & 1) << extra + 1
            // One in 500 matches may begin too far back.
            guard base + 1 << extra <= written || below(500) == 0 else { continue }
            let longer = symbol < 265 || symbol >= 285 ? 0 : (symbol - 261) / 4
            bits.put(literals[symbol].bits, literals[symbol].length)
            bits.put(below(1 << longer), longer)
            bits.put(distances[place].bits, distances[place].length)
            bits.put(below(1 << extra), extra)
            // At least.
            written += 3
        }
        bits.put(literals[256].bits, literals[256].length)
    }

    /// A complete code of at most so many symbols, with the end of a block if it is one of literals.
    private mutating func code(of count: Int, used: Int) -> [(length: Int, bits: Int)] {
        var leaves = [0]
        while leaves.count < min(used, count) {
            // Every second split lengthens the longest code.
            var leaf = below(leaves.count)
            if below(2) == 0 { leaf = leaves.indices.max { leaves[$0] < leaves[$1] } ?? 0 }
            guard leaves[leaf] < 15 else {
                if leaves.allSatisfy({ $0 == 15 }) { break }
                leaf = leaves.indices.min { leaves[$0] < leaves[$1] } ?? 0
                leaves[leaf] += 1
                leaves.append(leaves[leaf])
                continue
            }
            leaves[leaf] += 1
            leaves.append(leaves[leaf])
        }
        if leaves == [0] { leaves = [1] }
        var lengths = leaves + [Int](repeating: 0, count: count - leaves.count)
        for index in lengths.indices { lengths.swapAt(index, below(count)) }
        if count > 256, lengths[256] == 0, let other = lengths.firstIndex(where: { $0 > 0 }) {
            lengths.swapAt(256, other)
        }
        // The codes of a length are consecutive (RFC 1951, 3.2.2).
        var codes = lengths.map { (length: $0, bits: 0) }
        var next = 0
        for length in 1...15 {
            next <<= 1
            for symbol in codes.indices where lengths[symbol] == length {
                codes[symbol].bits = reversed(next, length)
                next += 1
            }
        }
        return codes
    }

    private func reversed(_ value: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | (value >> $1 & 1) << (count - 1 - $1) }
    }
}
