/// Whole rows, merged from the rows of the seven passes.
///
/// The passes (PNG specification, 8.1) halve the distance between known pixels, alternately across
/// and down. A row therefore interleaves two rows of half its width, the first of which was
/// interleaved the same way:
///
///     every eighth row    ((1 + 2) + 4) + 6
///     the fourth          (    3   + 4) + 6
///     second and sixth          5       + 6
///     odd rows                7
///
/// Missing rows are filled by doubling the known pixels, across and then down. Viewers do the same
/// while an interlaced image loads (13.10).
final class MergedRows {
    private let passes: [PNGFilteredRows?]
    private let width: Int
    private let weave: PixelWeave
    /// The newest rows of every fourth column, every second column and all columns.
    private let quarter: RowBuffer
    private let half: RowBuffer
    private let whole: RowBuffer
    private var next = 0

    init(_ header: PNGImageHeader, passes: [PNGFilteredRows?]) {
        precondition(passes.count == 7, "an interlaced image has seven passes")
        self.passes = passes
        width = header.width
        weave = PixelWeave(bitsPerPixel: header.bitsPerPixel)
        quarter = RowBuffer(count: header.rowBytes((width + 3) / 4))
        half = RowBuffer(count: header.rowBytes((width + 1) / 2))
        whole = RowBuffer(count: header.rowBytes(width))
    }

    /// Decodes the next row, valid until the next call.
    func nextRow() throws(DecodingFault) -> UnsafePointer<UInt8> {
        defer { next += 1 }
        if next % 2 == 1 { return try row(7) ?? UnsafePointer(whole.bytes) }
        let known = try everySecondColumn()
        weave.weave(known, try row(6) ?? known, into: whole.bytes, width: width)
        return UnsafePointer(whole.bytes)
    }

    private func everySecondColumn() throws(DecodingFault) -> UnsafePointer<UInt8> {
        if next % 4 == 2 { return try row(5) ?? UnsafePointer(half.bytes) }
        let known = try everyFourthColumn()
        weave.weave(known, try row(4) ?? known, into: half.bytes, width: (width + 1) / 2)
        return UnsafePointer(half.bytes)
    }

    private func everyFourthColumn() throws(DecodingFault) -> UnsafePointer<UInt8> {
        if next % 8 == 4 { return try row(3) ?? UnsafePointer(quarter.bytes) }
        if let known = try row(1) {
            weave.weave(known, try row(2) ?? known, into: quarter.bytes, width: (width + 3) / 4)
        } else {
            // Without any data, these eight rows are blank.
            quarter.bytes.update(repeating: 0, count: quarter.count)
        }
        return UnsafePointer(quarter.bytes)
    }

    private func row(_ pass: Int) throws(DecodingFault) -> UnsafePointer<UInt8>? {
        try passes[pass - 1]?.next()
    }
}
