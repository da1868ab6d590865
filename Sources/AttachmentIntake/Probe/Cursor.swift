/// A place in a stretch of a file, moved on by every read.
///
/// Reading past the stretch is a fault: `truncated` when the stretch goes to the end of the file,
/// else `corrupt`. No read and no skip moves backwards, so that a loop over a cursor ends.
struct Cursor {
    /// The order of the bytes of a number.
    enum ByteOrder {
        /// Most significant byte first.
        case big
        /// Least significant byte first.
        case little
    }

    let reader: BoundedReader
    /// Where the next byte stands in the file.
    private(set) var offset: Int
    /// Where the stretch ends in the file, not beyond the file itself.
    let end: Int
    /// How numbers are read from here on.
    var order: ByteOrder

    /// Makes a cursor over the file from an offset on.
    ///
    /// - Parameters:
    ///   - reader: The file.
    ///   - start: The first byte, clamped to the stretch; not negative.
    ///   - end: The byte after the last, clamped to the file. The default is the end of the file.
    ///   - order: The order of the bytes of numbers. The default is big-endian.
    init(_ reader: BoundedReader, from start: Int, to end: Int = .max, _ order: ByteOrder = .big) {
        self.reader = reader
        self.end = min(end, reader.length)
        self.offset = min(start, self.end)
        self.order = order
    }

    /// Bytes between here and the end of the stretch.
    var remaining: Int { end - offset }

    /// An unsigned number of one byte.
    mutating func uint8() throws(HeaderFault) -> UInt8 { try number() }

    /// An unsigned number of two bytes.
    mutating func uint16() throws(HeaderFault) -> UInt16 { try number() }

    /// An unsigned number of four bytes.
    mutating func uint32() throws(HeaderFault) -> UInt32 { try number() }

    /// An unsigned number of eight bytes.
    mutating func uint64() throws(HeaderFault) -> UInt64 { try number() }

    /// Four bytes that name something, in the order of the file.
    mutating func fourCC() throws(HeaderFault) -> FourCC {
        let value = try uint32()
        return FourCC(rawValue: order == .big ? value : value.byteSwapped)
    }

    /// Passes over bytes without reading them.
    ///
    /// - Parameter count: How many; not negative.
    /// - Throws: `truncated` or `corrupt` when the stretch is shorter.
    mutating func skip(_ count: Int) throws(HeaderFault) {
        guard count <= remaining else { throw pastEnd }
        offset += count
    }

    /// The same stretch from a place further on.
    ///
    /// - Parameter count: How many bytes further on, clamped to the stretch; not negative.
    /// - Returns: A cursor there, with the same order of bytes.
    func advanced(by count: Int) -> Cursor {
        Cursor(reader, from: offset + min(count, remaining), to: end, order)
    }

    /// The next bytes as a stretch of their own, fewer when there are fewer.
    ///
    /// - Parameter count: How many; not negative.
    /// - Returns: A cursor at the first of them.
    func prefix(_ count: Int) -> Cursor {
        Cursor(reader, from: offset, to: offset + min(count, remaining), order)
    }

    /// Passes over bytes and gives them as a stretch of their own.
    ///
    /// - Parameter count: How many; not negative.
    /// - Returns: A cursor at the first of them.
    /// - Throws: `truncated` or `corrupt` when there are fewer.
    mutating func take(_ count: Int) throws(HeaderFault) -> Cursor {
        let start = offset
        try skip(count)
        return Cursor(reader, from: start, to: offset, order)
    }

    /// Whether the next bytes are one of some texts.
    ///
    /// - Parameter texts: The texts, in ASCII.
    /// - Returns: True when they are; false too when fewer bytes remain.
    /// - Throws: `truncated`, `overBudget`, `unreadable`.
    func starts(with texts: String...) throws(HeaderFault) -> Bool {
        for text in texts where try starts(withBytes: text.utf8) { return true }
        return false
    }

    /// Whether the next bytes are these.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: True when they are; false too when fewer bytes remain.
    /// - Throws: `truncated`, `overBudget`, `unreadable`.
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
            ? .truncated(at: end) : .corrupt("a part is shorter than what it holds", at: offset)
    }
}
