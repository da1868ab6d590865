/// An open file, and whether its work was withdrawn.
struct HEIFFile {
    /// The file, open for reading; it stays the caller's.
    let descriptor: CInt
    /// Its length, in bytes.
    let length: Int
    /// Whether the work was withdrawn.
    let isCancelled: () -> Bool

    /// A decoder configuration record or an ICC profile has fewer bytes, in real files by far: the
    /// largest profiles that are handed round, of printers, take 4 MiB.
    static let maximumBytes = 4 << 20

    /// Reads some bytes of the file.
    ///
    /// - Parameter range: Which, in bytes from the start of the file.
    /// - Returns: The bytes, as many as the range has.
    /// - Throws: `DecodingFault` with code `truncated`, `overCeiling` or `unreadable`.
    func bytes(_ range: Range<Int>) throws(DecodingFault) -> [UInt8] {
        guard range.count <= Self.maximumBytes else {
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
