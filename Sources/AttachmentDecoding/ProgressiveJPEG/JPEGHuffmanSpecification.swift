/// A Huffman table as files define it (T.81, B.2.4.2): how many codes there are of each length, and
/// what they mean, in order.
struct JPEGHuffmanSpecification: Hashable {
    /// What the symbols of a table are (T.81, B.2.4.2: Tc).
    enum Class: Int {
        case dc
        case ac
    }

    /// Codes of 1 to 16 bits.
    var counts: [UInt8]
    /// What they mean, from the shortest to the longest.
    var symbols: [UInt8]

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - counts: Sixteen numbers whose sum is the number of symbols.
    ///   - symbols: At most 256.
    init(counts: [UInt8], symbols: [UInt8]) {
        self.counts = counts
        self.symbols = symbols
    }

    /// Reads one table of a DHT segment, without the byte that names it.
    ///
    /// - Parameter segment: The segment, at the counts.
    /// - Throws: `corrupt`.
    init(_ segment: inout JPEGSegment) throws(DecodingFault) {
        counts = Array(try segment.bytes(16))
        let count = counts.reduce(0) { $0 + Int($1) }
        guard count <= 256 else { throw segment.fault(.corrupt, "a Huffman table is too long") }
        symbols = Array(try segment.bytes(count))
    }

    /// Gives every code in turn (T.81, C.2).
    ///
    /// - Parameter body: Gets the code, its length in bits, and its place among the symbols.
    /// - Returns: Whether the lengths can be those of a code that has no code of all ones.
    func forEachCode(_ body: (_ code: Int, _ length: Int, _ place: Int) -> Void) -> Bool {
        var code = 0
        var place = 0
        for length in 1...16 {
            for _ in 0..<counts[length - 1] {
                body(code, length, place)
                code += 1
                place += 1
            }
            guard counts[length - 1] == 0 || code < 1 << length else { return false }
            code <<= 1
        }
        return true
    }
}
