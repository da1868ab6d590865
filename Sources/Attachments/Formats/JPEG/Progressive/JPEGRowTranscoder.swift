import AttachmentModel

/// Produces the stream's entropy-coded data: reads one row of units, encodes it, and continues with
/// the next.
final class JPEGRowTranscoder {
    /// Output buffer in bytes; four times the largest unit.
    static let outputCapacity = 20 << 10

    private let frame: JPEGFrameHeader
    private let source: any JPEGRowSource
    private let encoder: JPEGBlockEncoder
    // Owned.
    private let output: UnsafeMutablePointer<UInt8>
    private var writer: JPEGBitWriter
    /// Rows read; exceeds the number of rows once the stream has ended.
    private var rowCount = 0
    private var unit: Int
    private let maxUnitBytes: Int

    /// `source` fills the row that `encoder` encodes.
    init(_ frame: JPEGFrameHeader, from source: any JPEGRowSource, with encoder: JPEGBlockEncoder) {
        (self.frame, self.source, self.encoder) = (frame, source, encoder)
        output = .allocate(capacity: Self.outputCapacity)
        writer = JPEGBitWriter(to: output)
        let blocks = frame.components.reduce(0) { $0 + $1.horizontal * $1.vertical }
        maxUnitBytes = blocks * JPEGBlockEncoder.maxBlockBytes
        unit = frame.unitsAcross
    }

    /// Transcodes the scans of a file.
    convenience init(
        _ index: JPEGScanIndex, in file: OpenFile, isTolerant: Bool, notes: DecodingNotes
    ) {
        let (frame, needed) = (index.frame, index.neededCoefficients)
        let row = JPEGCoefficientRow(of: frame, neededCoefficients: needed)
        self.init(
            frame,
            from: JPEGRowDecoder(
                index, in: file, into: row, isTolerant: isTolerant, notes: notes),
            with: JPEGBlockEncoder(frame, row: row, neededCoefficients: needed))
    }

    deinit { output.deallocate() }

    /// Returns the next bytes, valid until the next call; empty after the last row.
    func next() throws(DecodingFault) -> UnsafeBufferPointer<UInt8> {
        writer.next = output
        // The writer holds back up to four bytes, and stuffing may double them.
        let end = output + Self.outputCapacity - 8
        let units = frame.unitsAcross
        while end - writer.next >= maxUnitBytes {
            if unit == units {
                guard try readRow() else { break }
            }
            let count = min(units - unit, (end - writer.next) / maxUnitBytes)
            encoder.encode(unit..<unit + count, to: &writer)
            unit += count
        }
        return UnsafeBufferPointer(start: output, count: writer.next - output)
    }

    /// After the last row, ends the scan once and returns false.
    private func readRow() throws(DecodingFault) -> Bool {
        guard rowCount < frame.unitRows else {
            if rowCount == frame.unitRows { finish() }
            rowCount = .max
            return false
        }
        try source.readRow(rowCount)
        rowCount += 1
        unit = 0
        return true
    }

    private func finish() {
        writer.finish()
        writer.next[0] = 0xFF
        writer.next[1] = JPEGMarker.endOfImage
        writer.next += 2
    }
}

/// Rows of units, read in order into a row of zeros.
protocol JPEGRowSource: AnyObject {
    func readRow(_ number: Int) throws(DecodingFault)
}
