import AttachmentModel

/// An open file and its cancellation check.
struct HEIFFile {
    let file: OpenFile
    let isCancelled: () -> Bool

    /// Limit on a decoder configuration record, in bytes; real ones have a few hundred.
    static let maximumConfiguration = 16 << 10

    /// Reads all bytes of `range`, of which there may be `ceiling`.
    func bytes(_ range: Range<Int>, atMost ceiling: Int) throws(DecodingFault) -> [UInt8] {
        guard range.count <= ceiling else {
            throw DecodingFault(
                .overCeiling, at: range.lowerBound, "a record of \(range.count) bytes")
        }
        var window = FileWindow(
            file, over: range, capacity: min(4_096, max(1, range.count)))
        let bytes = try window.readBytes(range.count)
        guard bytes.count == range.count else {
            throw DecodingFault(
                .truncated, at: range.lowerBound + bytes.count, "the file ends inside its header")
        }
        return bytes
    }
}
