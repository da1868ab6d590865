/// Reads the code lengths of a prefix code (RFC 9649, section 3.7.2.1).
final class CodeLengthReader {
    let lengths = CodeLengths()
    private let lengthsOfLengths = CodeLengths()
    private let pool = PrefixCodePool(capacity: 1 << lengthBits)

    private static let lengthBits = 7
    private static let order = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    private static let alphabet = 19
    private static let firstLength = 8

    func read(from source: BitSource, alphabet: Int) throws(DecodingFault) {
        lengths.reset(alphabet)
        if try source.readFlag() {
            try readSimple(source)
        } else {
            try readNormal(source, alphabet)
        }
        guard lengths.arrange() else { throw source.fault(.corrupt, "a prefix code is incomplete") }
    }

    private func readSimple(_ source: BitSource) throws(DecodingFault) {
        let hasTwo = try source.readFlag()
        lengths.set(try source.read(try source.readFlag() ? 8 : 1), to: 1)
        if hasTwo { lengths.set(try source.read(8), to: 1) }
    }

    private func readNormal(_ source: BitSource, _ alphabet: Int) throws(DecodingFault) {
        lengthsOfLengths.reset(Self.alphabet)
        for symbol in Self.order.prefix(4 + (try source.read(4))) {
            lengthsOfLengths.set(symbol, to: try source.read(3))
        }
        guard lengthsOfLengths.arrange() else {
            throw source.fault(.corrupt, "the code-length code is incomplete")
        }
        pool.count = 0
        guard let code = pool.add(lengthsOfLengths) else {
            throw source.fault(.limit, "its code lengths need too much memory")
        }
        var toRead = alphabet
        if try source.readFlag() {
            toRead = 2 + (try source.read(2 + 2 * (try source.read(3))))
            guard toRead <= alphabet else {
                throw source.fault(.corrupt, "a prefix code has more symbols than its alphabet")
            }
        }
        try readLengths(source, alphabet, toRead, pool.entries + code.start, code.mask)
    }

    /// Reads the stored lengths and repeats; later symbols have no code.
    private func readLengths(
        _ source: BitSource, _ alphabet: Int, _ toRead: Int, _ table: UnsafePointer<UInt16>,
        _ mask: UInt64
    ) throws(DecodingFault) {
        var (symbol, last) = (0, Self.firstLength)
        for _ in 0..<toRead where symbol < alphabet {
            if source.cursor.needsMore { source.cursor = try source.topUp(source.cursor) }
            source.cursor.refill()
            let length = source.cursor.symbol(table, mask)
            if length < 16 {
                lengths.set(symbol, to: length)
                if length > 0 { last = length }
                symbol += 1
                continue
            }
            let (bits, least) = length == 16 ? (2, 3) : length == 17 ? (3, 3) : (7, 11)
            let count = least + source.cursor.take(bits)
            guard symbol + count <= alphabet else {
                throw source.fault(.corrupt, "a code length is repeated past the last symbol")
            }
            if length == 16 {
                for index in symbol..<symbol + count { lengths.set(index, to: last) }
            }
            symbol += count
        }
    }
}
