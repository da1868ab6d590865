/// An open file, and whether its work was withdrawn.
struct HEIFFile {
    /// The file, open for reading; it stays the caller's.
    let descriptor: CInt
    /// Its length, in bytes.
    let length: Int
    /// Whether the work was withdrawn.
    let isCancelled: () -> Bool

    /// What a decoder configuration record takes at most, in bytes; real ones take a few hundred.
    static let maximumConfiguration = 16 << 10

    /// Reads some bytes of the file.
    ///
    /// - Parameters:
    ///   - range: Which, in bytes from the start of the file.
    ///   - ceiling: How many there may be.
    /// - Returns: The bytes, as many as the range has.
    /// - Throws: `DecodingFault` with code `truncated`, `overCeiling` or `unreadable`.
    func bytes(_ range: Range<Int>, atMost ceiling: Int) throws(DecodingFault) -> [UInt8] {
        guard range.count <= ceiling else {
            throw DecodingFault(
                .overCeiling, at: range.lowerBound, "a record of \(range.count) bytes")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var window = FileWindow(
            descriptor: descriptor, over: range, capacity: min(4_096, max(1, range.count)))
        while let byte = try window.readByte() { bytes.append(byte) }
        guard bytes.count == range.count else {
            throw DecodingFault(
                .truncated, at: range.lowerBound + bytes.count, "the file ends inside its header")
        }
        return bytes
    }
}
