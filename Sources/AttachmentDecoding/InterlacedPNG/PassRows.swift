/// The rows of one pass, one after the other.
final class PassRows {
    private let inflater: ImageDataInflater
    private let isTolerant: Bool
    private let unit: Int
    private var rowsLeft: Int
    /// A filter type and the row as the file has it.
    private let filtered: RowBuffer
    private let row: RowBuffer

    /// Begins with the first row.
    ///
    /// - Parameters:
    ///   - pass: The pass, with pixels.
    ///   - header: The picture.
    ///   - inflater: Stands at the start of the pass.
    ///   - isTolerant: Whether rows may be missing.
    init(
        _ pass: Adam7.Pass, of header: PNGImageHeader, inflater: ImageDataInflater,
        isTolerant: Bool
    ) {
        self.inflater = inflater
        self.isTolerant = isTolerant
        rowsLeft = pass.height
        unit = max(header.bitsPerPixel / 8, 1)
        filtered = RowBuffer(count: pass.rowBytes + 1)
        row = RowBuffer(count: pass.rowBytes)
    }

    /// Decodes the next row.
    ///
    /// - Returns: The row, with `RowBuffer.padding` bytes that may be read behind it, until the next
    ///   call; nil where it is missing, as are all that follow.
    /// - Throws: Damage, in a file that must not have any; `unreadable`.
    func next() throws(DecodingFault) -> UnsafePointer<UInt8>? {
        guard rowsLeft > 0 else { return nil }
        rowsLeft -= 1
        let line = UnsafeMutableBufferPointer(start: filtered.bytes, count: filtered.count)
        guard try inflater.read(into: line) == line.count else { return end() }
        guard let filter = RowFilter(rawValue: line[0]) else {
            guard isTolerant else {
                throw DecodingFault(
                    .corrupt, at: inflater.offset, "an unknown filter type \(line[0])")
            }
            return end()
        }
        filter.undo(filtered.bytes + 1, row.bytes, count: row.count, unit: unit)
        return UnsafePointer(row.bytes)
    }

    /// Gives no more rows: those that follow build on the missing one.
    private func end() -> UnsafePointer<UInt8>? {
        rowsLeft = 0
        return nil
    }
}
