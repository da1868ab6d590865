/// A Huffman table made ready for decoding (T.81, F.2.2.3).
///
/// Nine bits of the data tell a code of up to nine bits, and, where they fit in, the bits behind it
/// too: the value of a coefficient in one step. Longer codes are searched by their length.
final class JPEGHuffmanTable {
    /// What all of its memory takes, in bytes.
    static let byteCount =
        MemoryLayout<UInt32>.stride << JPEGHuffmanCodes.width
        + MemoryLayout<Int32>.stride * JPEGHuffmanCodes.canonicalCount

    /// What the table was made of.
    let specification: JPEGHuffmanSpecification
    /// What its symbols are.
    let kind: JPEGHuffmanSpecification.Class
    /// The table for inner loops; valid as long as the object lives, which owns its memory.
    let codes: JPEGHuffmanCodes

    /// Makes a table ready.
    ///
    /// - Parameters:
    ///   - specification: The table as the file defines it.
    ///   - kind: What its symbols are.
    ///   - offset: Where a scan asks for it, in bytes from the start of the file.
    /// - Throws: `corrupt` when its lengths are those of no code, or a DC symbol is above 15.
    init(
        _ specification: JPEGHuffmanSpecification, as kind: JPEGHuffmanSpecification.Class,
        at offset: Int
    ) throws(DecodingFault) {
        self.specification = specification
        self.kind = kind
        let entries = UnsafeMutablePointer<UInt32>.allocate(capacity: 1 << JPEGHuffmanCodes.width)
        entries.initialize(repeating: 0, count: 1 << JPEGHuffmanCodes.width)
        let canonical = UnsafeMutablePointer<Int32>.allocate(
            capacity: JPEGHuffmanCodes.canonicalCount)
        canonical.initialize(repeating: 0, count: JPEGHuffmanCodes.canonicalCount)
        codes = JPEGHuffmanCodes(entries: entries, canonical: canonical)
        let isCode = specification.forEachCode { code, length, place in
            let symbol = Int(specification.symbols[place])
            canonical[length] = Int32((code + 1) << (16 - length))
            canonical[17 + length] = Int32(place - code)
            canonical[34 + place] = Int32(symbol)
            guard length <= JPEGHuffmanCodes.width, code < 1 << length else { return }
            let spare = JPEGHuffmanCodes.width - length
            for following in 0..<1 << spare {
                entries[code << spare | following] = JPEGHuffmanCodes.entry(
                    symbol: symbol, kind: kind, length: length, following: following, spare: spare)
            }
        }
        // Where no code has a length, the next shorter ones end at the same place.
        for length in 1...16 { canonical[length] = max(canonical[length], canonical[length - 1]) }
        guard isCode else {
            throw DecodingFault(.corrupt, at: offset, "a Huffman table has codes that overlap")
        }
        guard kind == .ac || specification.symbols.allSatisfy({ $0 < 16 }) else {
            throw DecodingFault(.corrupt, at: offset, "a DC table has a category above 15")
        }
    }

    deinit {
        codes.entries.deallocate()
        codes.canonical.deallocate()
    }
}

/// The memory of a ``JPEGHuffmanTable``, for inner loops that must not count references.
struct JPEGHuffmanCodes {
    /// Bits of the first step.
    ///
    /// Measured at 48 MP: 9, 10 and 11 take the same time within the noise, 0.36 s, and each twice
    /// the memory of the one before.
    static let width = 9
    /// Limits and differences of the lengths 0 to 16, and 256 symbols.
    static let canonicalCount = 17 + 17 + 256

    /// For nine bits: value (16 bits), symbol (8), length of code and value (4), of the code (4).
    ///
    /// The length of both is 0 where the value does not fit in nine bits, and that of the code too
    /// where the code does not.
    let entries: UnsafeMutablePointer<UInt32>
    /// For each length: the first code of 16 bits behind its codes, then what a code's place is
    /// beyond its number, then the symbols.
    let canonical: UnsafeMutablePointer<Int32>

    /// Makes an entry of the first step.
    ///
    /// - Parameters:
    ///   - symbol: What the code means.
    ///   - kind: What symbols are: a DC symbol is a category; an AC symbol with category 0 has no
    ///     value.
    ///   - length: Bits of the code.
    ///   - following: The bits behind the code.
    ///   - spare: How many they are.
    /// - Returns: The entry.
    static func entry(
        symbol: Int, kind: JPEGHuffmanSpecification.Class, length: Int, following: Int, spare: Int
    ) -> UInt32 {
        let category = kind == .dc ? symbol : symbol & 15
        var entry = UInt32(symbol) << 8 | UInt32(length)
        if category <= spare, kind == .dc || category > 0 {
            let bits = following >> (spare - category)
            let value = JPEGBitReader.extended(bits, category: category)
            entry |= UInt32(UInt16(truncatingIfNeeded: value)) << 16
            entry |= UInt32(length + category) << 4
        }
        return entry
    }
}
