import AttachmentModel

/// Cursor over a section of a file, advanced by every read.
///
/// Reads past the section throw `truncated` if the section ends with the file, otherwise `corrupt`.
/// No read or skip moves backwards, so loops over a cursor terminate.
struct Cursor {
    enum ByteOrder {
        case big
        case little
    }

    let reader: BoundedReader
    private(set) var offset: Int
    /// End of the section in the file, clamped to the file.
    let end: Int
    var order: ByteOrder

    init(_ reader: BoundedReader, from start: Int, to end: Int = .max, _ order: ByteOrder = .big) {
        self.reader = reader
        self.end = min(end, reader.length)
        self.offset = min(start, self.end)
        self.order = order
    }

    var remaining: Int { end - offset }

    mutating func uint8() throws(HeaderFault) -> UInt8 { try number() }
    mutating func uint16() throws(HeaderFault) -> UInt16 { try number() }
    mutating func uint32() throws(HeaderFault) -> UInt32 { try number() }
    mutating func uint64() throws(HeaderFault) -> UInt64 { try number() }

    /// Reads four bytes in file order, whatever the byte order.
    mutating func fourCC() throws(HeaderFault) -> FourCC {
        let value = try uint32()
        return FourCC(rawValue: order == .big ? value : value.byteSwapped)
    }

    mutating func skip(_ count: Int) throws(HeaderFault) {
        guard count <= remaining else { throw pastEnd }
        offset += count
    }

    /// Cursor at a later offset of the same section, clamped.
    func advanced(by count: Int) -> Cursor {
        Cursor(reader, from: offset + min(count, remaining), to: end, order)
    }

    func prefix(_ count: Int) -> Cursor {
        Cursor(reader, from: offset, to: offset + min(count, remaining), order)
    }

    mutating func take(_ count: Int) throws(HeaderFault) -> Cursor {
        let start = offset
        try skip(count)
        return Cursor(reader, from: start, to: offset, order)
    }

    func starts(with texts: String...) throws(HeaderFault) -> Bool {
        for text in texts where try starts(withBytes: text.utf8) { return true }
        return false
    }

    /// True if the next bytes equal `bytes`; false if fewer remain.
    func starts(withBytes bytes: some Collection<UInt8>) throws(HeaderFault) -> Bool {
        guard bytes.count <= remaining else { return false }
        for (index, byte) in bytes.enumerated() {
            guard try reader.byte(at: offset + index) == byte else { return false }
        }
        return true
    }

    private mutating func number<T: FixedWidthInteger & UnsignedInteger>() throws(HeaderFault) -> T
    {
        let size = T.bitWidth / 8
        guard size <= remaining else { throw pastEnd }
        var value: T = 0
        for index in 0..<size { value = value << 8 | T(try reader.byte(at: offset + index)) }
        offset += size
        return order == .big ? value : value.byteSwapped
    }

    private var pastEnd: HeaderFault {
        end == reader.length
            ? .truncated(at: end) : .corrupt("a structure is shorter than its contents", at: offset)
    }
}
