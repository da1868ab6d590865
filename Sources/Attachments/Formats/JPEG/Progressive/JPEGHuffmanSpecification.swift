/// Huffman table as stored in files (T.81, B.2.4.2): the number of codes of each length, and the
/// symbols in code order.
struct JPEGHuffmanSpecification: Hashable {
    enum Class: Int {
        case dc
        case ac
    }

    var counts: [UInt8]
    var symbols: [UInt8]
}

extension JPEGHuffmanSpecification {
    init(_ segment: inout JPEGSegment) throws(DecodingFault) {
        counts = Array(try segment.bytes(16))
        let count = counts.reduce(0) { $0 + Int($1) }
        guard count <= 256 else { throw segment.fault(.corrupt, "a Huffman table is too long") }
        symbols = Array(try segment.bytes(count))
    }

    /// Calls `body` for each code in order (T.81, C.2); false if the lengths overflow or use the
    /// all-ones code.
    func forEachCode(_ body: (_ code: Int, _ length: Int, _ position: Int) -> Void) -> Bool {
        var code = 0
        var position = 0
        for length in 1...16 {
            for _ in 0..<counts[length - 1] {
                body(code, length, position)
                code += 1
                position += 1
            }
            guard counts[length - 1] == 0 || code < 1 << length else { return false }
            code <<= 1
        }
        return true
    }
}
