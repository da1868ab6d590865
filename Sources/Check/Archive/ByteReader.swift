/// Bounds-checked integers in bytes of unknown origin.
///
/// Offsets are relative to the first byte. A read outside of the bytes returns nil.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private let isBigEndian: Bool

    init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool = false) {
        self.bytes = bytes
        self.isBigEndian = isBigEndian
    }

    init(_ bytes: [UInt8], isBigEndian: Bool = false) {
        self.init(bytes[...], isBigEndian: isBigEndian)
    }

    var count: Int { bytes.count }

    var bigEndian: ByteReader { ByteReader(bytes, isBigEndian: true) }

    /// The bytes of a range; nil if they are incomplete.
    func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
            return nil
        }
        let start = bytes.startIndex + offset
        return bytes[start..<start + count]
    }

    /// A reader of a range; nil if it is incomplete.
    func part(at offset: Int, count: Int) -> ByteReader? {
        bytes(at: offset, count: count).map { ByteReader($0, isBigEndian: isBigEndian) }
    }

    func uint16(at offset: Int) -> Int? { integer(at: offset, count: 2).map { Int($0) } }

    func uint32(at offset: Int) -> Int? { integer(at: offset, count: 4).map { Int($0) } }

    /// An unsigned number of 64 bits; nil also above the range of `Int`.
    func uint64(at offset: Int) -> Int? {
        integer(at: offset, count: 8).flatMap { Int(exactly: $0) }
    }

    private func integer(at offset: Int, count: Int) -> UInt64? {
        bytes(at: offset, count: count).map { bytes in
            isBigEndian
                ? bytes.reduce(0) { $0 << 8 | UInt64($1) }
                : bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// A string of fixed length that ends at the first zero; nil if it is incomplete.
    func name(at offset: Int, count: Int) -> String? {
        bytes(at: offset, count: count).map { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
