import AttachmentModel

struct TIFFFieldReader: ~Copyable {
    /// Bytes before the offset of the first directory: 4, or 8 for BigTIFF.
    private(set) var signature: [UInt8] = []
    private(set) var isBig = false

    private var window: FileWindow

    /// Reads the byte order mark and the version (TIFF 6.0, section 2; the BigTIFF design).
    init(_ file: OpenFile) throws(DecodingFault) {
        window = FileWindow(file, capacity: 4 << 10)
        signature = try readBytes(4)
        switch signature {
        case [0x49, 0x49, 42, 0], [0x4d, 0x4d, 0, 42]: break
        case [0x49, 0x49, 43, 0], [0x4d, 0x4d, 0, 43]: isBig = true
        default: throw DecodingFault(.corrupt, at: 0, "no TIFF signature")
        }
        // BigTIFF continues with the size of offsets, always 8, and a zero.
        if isBig { signature += try readBytes(4) }
    }

    var isBigEndian: Bool { signature.first == 0x4d }

    var offset: Int { window.offset }

    mutating func readOffset() throws(DecodingFault) -> Int {
        try readInteger(bytes: isBig ? 8 : 4)
    }

    /// Reads an unsigned integer of at most 8 bytes, clamped to `Int.max`.
    mutating func readInteger(bytes count: Int) throws(DecodingFault) -> Int {
        Int(bytes: try readBytes(count), bigEndian: isBigEndian)
    }

    mutating func readBytes(_ count: Int) throws(DecodingFault) -> [UInt8] {
        let bytes = try window.readBytes(count)
        guard bytes.count == count else {
            throw DecodingFault(.truncated, at: window.offset, "its directory is truncated")
        }
        return bytes
    }

    mutating func seek(to offset: Int) { window.seek(to: offset) }
}

/// A directory entry (TIFF 6.0, section 2).
struct TIFFEntry {
    let offset: Int
    let tag: UInt16
    /// The stored entry: 12 bytes, or 20 for BigTIFF.
    let bytes: [UInt8]
    let valueBytes: Int
    /// The value, if it is one unsigned integer.
    let integer: Int?

    private let width: Int
    /// Position of values that do not fit into the entry.
    private let values: Int

    init(_ fields: inout TIFFFieldReader) throws(DecodingFault) {
        offset = fields.offset
        let entry = try fields.readBytes(fields.isBig ? 20 : 12)
        bytes = entry
        let order = fields.isBigEndian
        func number(_ range: Range<Int>) -> Int { Int(bytes: entry[range], bigEndian: order) }
        let room = fields.isBig ? 8 : 4
        let count = number(4..<4 + room)
        let field = 4 + room
        tag = UInt16(truncatingIfNeeded: number(0..<2))
        let type = number(2..<4)
        width = TIFFDirectory.width(of: type)
        let (total, overflow) = count.multipliedReportingOverflow(by: width)
        valueBytes = overflow ? .max : total
        values = valueBytes > room ? number(field..<field + room) : offset + field
        let isUnsigned = [1, 3, 4, 16].contains(type)
        integer = count == 1 && isUnsigned && width <= room ? number(field..<field + width) : nil
    }

    /// Range of the values; nil unless they are single bytes within the file.
    func byteRange(inFileOf length: Int) -> Range<Int>? {
        guard width == 1, valueBytes > 0, values <= length, valueBytes <= length - values else {
            return nil
        }
        return values..<values + valueBytes
    }
}

extension Int {
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
    init(_ value: Int, bytes count: Int, bigEndian: Bool) {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        self = bigEndian ? little.reversed() : little
    }
}
