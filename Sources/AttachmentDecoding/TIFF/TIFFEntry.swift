/// Reads the integers of a TIFF structure, in its byte order.
struct TIFFFieldReader: ~Copyable {
    /// The bytes before the offset of the first directory: 4 of them, or 8 in a BigTIFF file.
    private(set) var signature: [UInt8] = []

    private var window: FileWindow

    /// Starts at the beginning of a file.
    ///
    /// - Parameter window: The whole file.
    init(_ window: consuming FileWindow) { self.window = window }

    /// Whether the most significant byte comes first; known once the signature is read.
    var isBigEndian: Bool { signature.first == 0x4d }

    /// Where the next byte stands in the file.
    var offset: Int { window.offset }

    /// Reads the byte order mark and the version (TIFF 6.0, section 2; the BigTIFF design).
    ///
    /// - Returns: Whether counts and offsets have 64 bits.
    /// - Throws: `DecodingFault`.
    mutating func readSignature() throws(DecodingFault) -> Bool {
        signature = try readBytes(4)
        let isBig: Bool
        switch signature {
        case [0x49, 0x49, 42, 0], [0x4d, 0x4d, 0, 42]: isBig = false
        case [0x49, 0x49, 43, 0], [0x4d, 0x4d, 0, 43]: isBig = true
        default: throw DecodingFault(.corrupt, at: 0, "no TIFF signature")
        }
        // Then how long an offset is, which is always eight bytes, and a zero.
        if isBig { signature += try readBytes(4) }
        return isBig
    }

    /// Reads an offset or the count of an entry.
    ///
    /// - Parameter isBig: Whether it has 64 bits.
    /// - Returns: Its value, cut to the largest `Int`.
    /// - Throws: `DecodingFault`.
    mutating func readOffset(_ isBig: Bool) throws(DecodingFault) -> Int {
        try readInteger(bytes: isBig ? 8 : 4)
    }

    /// Reads an unsigned integer.
    ///
    /// - Parameter count: How many bytes it has, at most 8.
    /// - Returns: Its value, cut to the largest `Int`.
    /// - Throws: `DecodingFault`.
    mutating func readInteger(bytes count: Int) throws(DecodingFault) -> Int {
        Int(bytes: try readBytes(count), bigEndian: isBigEndian)
    }

    /// Reads bytes.
    ///
    /// - Parameter count: How many; small.
    /// - Returns: As many bytes.
    /// - Throws: `DecodingFault`, with code `truncated` when there are fewer.
    mutating func readBytes(_ count: Int) throws(DecodingFault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count {
            guard let byte = try window.readByte() else {
                throw DecodingFault(.truncated, at: window.offset, "its directory is cut off")
            }
            bytes.append(byte)
        }
        return bytes
    }

    /// Goes on at another place of the file.
    ///
    /// - Parameter offset: In bytes from its start.
    mutating func seek(to offset: Int) { window.seek(to: offset) }
}

/// An entry of a directory (TIFF 6.0, section 2).
struct TIFFEntry {
    /// Where it stands in the file.
    let offset: Int
    let tag: UInt16
    /// The entry as it stands in the file: 12 bytes, or 20 in a BigTIFF file.
    let bytes: [UInt8]
    /// What its values take, in bytes.
    let valueBytes: Int
    /// The value when it is one unsigned integer.
    let integer: Int?

    private let width: Int
    /// Where the values stand when they do not fit into the entry.
    private let values: Int

    /// Reads an entry.
    ///
    /// - Parameters:
    ///   - fields: At the entry; moves on behind it.
    ///   - isBig: Whether the file is a BigTIFF file.
    /// - Throws: `DecodingFault`.
    init(_ fields: inout TIFFFieldReader, _ isBig: Bool) throws(DecodingFault) {
        offset = fields.offset
        let entry = try fields.readBytes(isBig ? 20 : 12)
        bytes = entry
        let order = fields.isBigEndian
        func number(_ range: Range<Int>) -> Int { Int(bytes: entry[range], bigEndian: order) }
        let room = isBig ? 8 : 4
        let count = number(4..<4 + room)
        let field = 4 + room
        tag = UInt16(truncatingIfNeeded: number(0..<2))
        let type = number(2..<4)
        width = Self.width(of: type)
        let (total, overflow) = count.multipliedReportingOverflow(by: width)
        valueBytes = overflow ? .max : total
        values = valueBytes > room ? number(field..<field + room) : offset + field
        let isUnsigned = [1, 3, 4, 16].contains(type)
        integer = count == 1 && isUnsigned && width <= room ? number(field..<field + width) : nil
    }

    /// Where the values stand.
    ///
    /// - Parameter length: The length of the file in bytes.
    /// - Returns: Nil unless they are single bytes and within the file.
    func byteRange(inFileOf length: Int) -> Range<Int>? {
        guard width == 1, valueBytes > 0, values <= length, valueBytes <= length - values else {
            return nil
        }
        return values..<values + valueBytes
    }

    /// The width of a value, in bytes (TIFF 6.0, section 2, "Types"; 13 and 16 to 18 are later).
    private static func width(of type: Int) -> Int {
        switch type {
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12, 16, 17, 18: 8
        default: 1
        }
    }
}

extension Int {
    /// Puts bytes together to an unsigned integer, cut to the largest `Int`.
    fileprivate init(bytes: some BidirectionalCollection<UInt8>, bigEndian: Bool) {
        var value: UInt64 = 0
        if bigEndian {
            for byte in bytes { value = value << 8 | UInt64(byte) }
        } else {
            for byte in bytes.reversed() { value = value << 8 | UInt64(byte) }
        }
        self.init(clamping: value)
    }
}

extension [UInt8] {
    /// The bytes of an unsigned integer.
    init(_ value: Int, bytes count: Int, bigEndian: Bool) {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        self = bigEndian ? little.reversed() : little
    }
}
