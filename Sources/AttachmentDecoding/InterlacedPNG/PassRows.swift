/// The rows of one pass, one after the other.
final class PassRows {
    /// Bytes that are inflated at a time beside the row that is wanted, so that calls of zlib, which
    /// slows down at the end of its room, are few in narrow passes.
    static let surplus = 16 << 10

    private let inflater: ImageDataInflater
    private let isTolerant: Bool
    private let rowBytes: Int
    private let unit: Int
    private var rowsLeft: Int
    /// Bytes that were inflated, from a filter type on.
    private let inflated: RowBuffer
    private var start = 0
    private var held = 0
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
        rowBytes = pass.rowBytes
        rowsLeft = pass.height
        unit = max(header.bitsPerPixel / 8, 1)
        inflated = RowBuffer(count: min(pass.byteCount, pass.rowBytes + 1 + Self.surplus))
        row = RowBuffer(count: pass.rowBytes)
    }

    /// Decodes the next row.
    ///
    /// - Returns: The row, with `RowBuffer.padding` bytes that may be read behind it, until the next
    ///   call; nil where it is missing, as are all that follow.
    /// - Throws: Damage, in a file that must not have any; `unreadable`.
    func next() throws(DecodingFault) -> UnsafePointer<UInt8>? {
        guard rowsLeft > 0 else { return nil }
        if held <= rowBytes { try refill() }
        guard held > rowBytes else {
            rowsLeft = 0
            return nil
        }
        let line = inflated.bytes + start
        guard let filter = RowFilter(rawValue: line[0]) else {
            guard isTolerant else {
                throw DecodingFault(
                    .corrupt, at: inflater.offset, "an unknown filter type \(line[0])")
            }
            rowsLeft = 0
            return nil
        }
        filter.undo(line + 1, row.bytes, count: rowBytes, unit: unit)
        start += rowBytes + 1
        held -= rowBytes + 1
        rowsLeft -= 1
        return UnsafePointer(row.bytes)
    }

    /// Inflates as much as there is room for, and no more than the pass has.
    private func refill() throws(DecodingFault) {
        inflated.bytes.update(from: inflated.bytes + start, count: held)
        start = 0
        let missing = rowsLeft * (rowBytes + 1) - held
        held += try inflater.read(
            into: UnsafeMutableBufferPointer(
                start: inflated.bytes + held, count: min(missing, inflated.count - held)))
    }
}
