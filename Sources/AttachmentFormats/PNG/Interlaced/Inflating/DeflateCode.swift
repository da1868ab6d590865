/// Lookup tables for deflate's prefix codes (RFC 1951, 3.2.2).
///
/// The next `rootBits` bits index the root table. Longer codes use second-level tables, which a
/// pointer entry of the root table refers to. An entry has 32 bits:
///
///     0–5    bits to drop: the code and its extra bits
///     8–11   bits of the code alone; for a pointer, index bits of the second-level table
///     12–15  kind
///     16–31  literal, base length or base distance; for a pointer, the start of its table
enum DeflateCode {
    static let literal: UInt32 = 0x8000
    /// Neither a literal nor a length or distance: a pointer, an illegal code or the end of the
    /// block.
    static let special: UInt32 = 0x4000
    static let pointer: UInt32 = 0x2000
    static let illegal: UInt32 = 0x1000

    /// The longest code (3.2.7).
    static let longest = 15

    /// Index bits of the root table for literals and lengths.
    ///
    /// Most literal codes fit, and 10 measured faster than 9, 11 and 12.
    static let literalBits = 10
    /// Index bits of the root table for distances.
    static let distanceBits = 8

    /// One of the three alphabets of deflate.
    struct Alphabet {
        let rootBits: Int
        /// Upper bound on the table entries of any code for this alphabet.
        ///
        /// A second-level table of b bits is a complete tree of that depth, so it needs at least b
        /// + 1 symbols. The number of entries per symbol is largest for the largest b.
        let capacity: Int
        /// An entry for each symbol, counting its extra bits but not those of its code.
        let entries: [UInt32]
    }

    /// Literals, lengths and the end of a block (3.2.5).
    static let literals = Alphabet(
        rootBits: literalBits, capacity: 1024 + 288 * 32 / 6,
        entries: (0..<256).map { literal | $0 << 16 } + [special]
            + lengths.map { $0.extra | $0.base << 16 }
            + [special | illegal, special | illegal])

    /// Distances (3.2.5).
    static let distances = Alphabet(
        rootBits: distanceBits, capacity: 256 + 32 * 128 / 8,
        entries: (0..<30).map { (symbol: UInt32) in
            let extra = symbol < 4 ? 0 : symbol / 2 - 1
            let base = symbol < 4 ? symbol + 1 : (2 + symbol % 2) << extra + 1
            return extra | base << 16
        } + [special | illegal, special | illegal])

    /// Code lengths (3.2.7), with codes of at most seven bits.
    static let codeLengths = Alphabet(
        rootBits: 7, capacity: 128, entries: (0..<19).map { literal | $0 << 16 })

    private static let lengths: [(base: UInt32, extra: UInt32)] =
        (0..<28).map { (symbol: UInt32) in
            let extra = symbol < 8 ? 0 : symbol / 4 - 1
            return (symbol < 8 ? symbol + 3 : (4 + symbol % 4) << extra + 3, extra)
        } + [(258, 0)]

    /// Builds the tables of a code; false if the lengths describe no valid code.
    ///
    /// A valid code is complete or has at most one symbol (3.2.7). A length of 0 marks an unused
    /// symbol.
    static func build(
        _ alphabet: Alphabet, lengths: UnsafeBufferPointer<UInt8>,
        into table: UnsafeMutablePointer<UInt32>
    ) -> Bool {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 2 * (longest + 1)) { numbers in
            withUnsafeTemporaryAllocation(of: Int.self, capacity: lengths.count) { sorted in
                numbers.initialize(repeating: 0)
                let counts = UnsafeMutableBufferPointer(rebasing: numbers[0...longest])
                let places = UnsafeMutableBufferPointer(rebasing: numbers[(longest + 1)...])
                for length in lengths { counts[Int(length)] += 1 }
                var free = 1
                for length in 1...longest {
                    free = free * 2 - counts[length]
                    guard free >= 0 else { return false }
                    if length < longest { places[length + 1] = places[length] + counts[length] }
                }
                let used = places[longest] + counts[longest]
                guard free == 0 || used == 0 || (used == 1 && counts[1] == 1) else { return false }
                for (symbol, length) in lengths.enumerated() where length > 0 {
                    sorted[places[Int(length)]] = symbol
                    places[Int(length)] += 1
                }
                if free > 0 {
                    table.update(
                        repeating: special | illegal | 1, count: 1 << alphabet.rootBits)
                }
                return fill(
                    table, alphabet, lengths, counts,
                    symbols: UnsafeMutableBufferPointer(rebasing: sorted[..<used]))
            }
        }
    }

    /// Enters the symbols in code order.
    private static func fill(
        _ table: UnsafeMutablePointer<UInt32>, _ alphabet: Alphabet,
        _ lengths: UnsafeBufferPointer<UInt8>, _ remaining: UnsafeMutableBufferPointer<Int>,
        symbols: UnsafeMutableBufferPointer<Int>
    ) -> Bool {
        let rootBits = alphabet.rootBits
        // The code with its first bit lowest, as in the stream (3.1.1).
        var code = 0
        var (prefix, start, bits) = (-1, 1 << rootBits, 0)
        for symbol in symbols {
            let length = Int(lengths[symbol])
            let entry = alphabet.entries[symbol] + UInt32(length) | UInt32(length) << 8
            if length <= rootBits {
                for index in stride(from: code, to: 1 << rootBits, by: 1 << length) {
                    table[index] = entry
                }
            } else {
                if code & (1 << rootBits - 1) != prefix {
                    start += prefix < 0 ? 0 : 1 << bits
                    prefix = code & (1 << rootBits - 1)
                    bits = bitsNeeded(from: length, rootBits, remaining)
                    guard start + 1 << bits <= alphabet.capacity else { return false }
                    table[prefix] =
                        special | pointer | UInt32(bits) << 8 | UInt32(start) << 16
                }
                for index in stride(
                    from: code >> rootBits, to: 1 << bits, by: 1 << (length - rootBits))
                {
                    table[start + index] = entry
                }
            }
            remaining[length] -= 1
            code = successor(of: code, length)
        }
        return true
    }

    /// Index bits for a second-level table whose first code has the given length.
    private static func bitsNeeded(
        from length: Int, _ rootBits: Int, _ remaining: UnsafeMutableBufferPointer<Int>
    ) -> Int {
        var bits = length - rootBits
        var free = 1 << bits - remaining[length]
        while free > 0, bits + rootBits < longest {
            bits += 1
            free = free * 2 - remaining[bits + rootBits]
        }
        return bits
    }

    /// The next code in the reversed bit order: increments from the most significant bit down.
    private static func successor(of code: Int, _ length: Int) -> Int {
        var bit = 1 << (length - 1)
        while code & bit != 0 { bit >>= 1 }
        return bit == 0 ? 0 : code & (bit - 1) | bit
    }
}
