/// Whole rows, from the rows of seven passes that are read in lockstep.
///
/// The passes (PNG specification, 8.1) halve the distance between the pixels that are known, in
/// turns across and down. So a row comes about by weaving two rows of half its width, of which the
/// first one was woven in the same way:
///
///     every eighth row    ((1 + 2) + 4) + 6
///     the fourth          (    3   + 4) + 6
///     second and sixth          5       + 6
///     odd rows                7
///
/// Where rows are missing, what is known of the picture is doubled, across and then down, as
/// viewers show interlaced pictures while they arrive (13.10).
final class MergedRows {
    private let passes: [PassRows?]
    private let width: Int
    private let weave: PixelWeave
    /// The newest rows of every fourth and of every second column, and of all, as far as they were
    /// woven.
    private let quarter: RowBuffer
    private let half: RowBuffer
    private let whole: RowBuffer
    private var next = 0

    /// Begins with the first row.
    ///
    /// - Parameters:
    ///   - header: The picture.
    ///   - passes: The rows of each of its seven passes; nil for those that have none.
    init(_ header: PNGImageHeader, passes: [PassRows?]) {
        precondition(passes.count == 7, "an interlaced picture has seven passes")
        self.passes = passes
        width = header.width
        weave = PixelWeave(bitsPerPixel: header.bitsPerPixel)
        quarter = RowBuffer(count: header.rowBytes((width + 3) / 4))
        half = RowBuffer(count: header.rowBytes((width + 1) / 2))
        whole = RowBuffer(count: header.rowBytes(width))
    }

    /// Decodes the next row of the picture.
    ///
    /// - Returns: The row, until the next call.
    /// - Throws: Damage, in a file that must not have any; `unreadable`.
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
            // Nothing is known of these eight rows: they are blank.
            quarter.bytes.update(repeating: 0, count: quarter.count)
        }
        return UnsafePointer(quarter.bytes)
    }

    private func row(_ pass: Int) throws(DecodingFault) -> UnsafePointer<UInt8>? {
        try passes[pass - 1]?.next()
    }
}
