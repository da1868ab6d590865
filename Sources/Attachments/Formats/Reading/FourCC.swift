/// Four-byte identifier of a chunk, box, brand or item, usually ASCII.
struct FourCC: RawRepresentable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    init(stringLiteral text: String) {
        rawValue = text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    var bytes: [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: rawValue >> $0) }
    }

    /// The bytes as text, with question marks for unprintable ones.
    var description: String {
        String(decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : 0x3F }, as: UTF8.self)
    }
}
