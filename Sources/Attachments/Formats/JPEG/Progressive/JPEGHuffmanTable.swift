/// Huffman table prepared for decoding (T.81, F.2.2.3): a nine-bit lookup decodes codes of up to
/// nine bits, with the coefficient value if it fits, and longer codes are searched by length.
final class JPEGHuffmanTable {
    let specification: JPEGHuffmanSpecification
    let kind: JPEGHuffmanSpecification.Class
    let codes: JPEGHuffmanCodes

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
        let isCode = specification.forEachCode { code, length, position in
            let symbol = Int(specification.symbols[position])
            canonical[length] = Int32((code + 1) << (16 - length))
            canonical[17 + length] = Int32(position - code)
            canonical[34 + position] = Int32(symbol)
            guard length <= JPEGHuffmanCodes.width, code < 1 << length else { return }
            let spare = JPEGHuffmanCodes.width - length
            for following in 0..<1 << spare {
                entries[code << spare | following] = JPEGHuffmanCodes.entry(
                    symbol: symbol, kind: kind, length: length, following: following, spare: spare)
            }
        }
        // Lengths without codes end at the same code as the shorter ones.
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

/// Memory of a ``JPEGHuffmanTable``, for inner loops that must not count references.
struct JPEGHuffmanCodes {
    /// Index bits of the first level; at 48 megapixels, 9, 10 and 11 bits take the same time, and
    /// each bit doubles the memory.
    static let width = 9
    /// Limits and offsets of the lengths 0 to 16, and 256 symbols.
    static let canonicalCount = 17 + 17 + 256

    /// Per nine-bit index: value (16 bits), symbol (8), length of code and value (4) or 0 if the
    /// value does not fit, length of the code (4) or 0 if the code does not fit.
    let entries: UnsafeMutablePointer<UInt32>
    /// Per length, the first 16-bit code after its codes, then the offset from a code to its symbol
    /// index; then the symbols.
    let canonical: UnsafeMutablePointer<Int32>

    /// `following` holds the `spare` bits after the code; an AC symbol of category 0 has no value.
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
