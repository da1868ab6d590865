import AttachmentModel

/// Produces the stream's entropy-coded data: decodes all scans for one row of units, encodes the
/// row, and continues with the next.
final class JPEGRowTranscoder {
    /// Output buffer in bytes; four times the largest unit.
    static let outputCapacity = 20 << 10

    private let index: JPEGScanIndex
    private let row: JPEGCoefficientRow
    private let encoder: JPEGBlockEncoder
    // Owned; one reader per scan.
    private let readers: UnsafeMutablePointer<JPEGScanReader>
    private let output: UnsafeMutablePointer<UInt8>
    private var writer: JPEGBitWriter
    private var window: FileWindow
    /// Rows decoded; exceeds the number of rows once the stream has ended.
    private var rowCount = 0
    private var unit: Int
    private let maxUnitBytes: Int

    init(_ index: JPEGScanIndex, in file: OpenFile, isTolerant: Bool) {
        let frame = index.frame
        self.index = index
        let row = JPEGCoefficientRow(of: frame, neededCoefficients: index.neededCoefficients)
        self.row = row
        encoder = JPEGBlockEncoder(frame, row: row, neededCoefficients: index.neededCoefficients)
        readers = .allocate(capacity: index.scans.count)
        for (number, scan) in index.scans.enumerated() {
            (readers + number).initialize(
                to: JPEGScanReader(scan, of: frame, into: row, isTolerant: isTolerant))
        }
        output = .allocate(capacity: Self.outputCapacity)
        writer = JPEGBitWriter(to: output)
        window = FileWindow(file, capacity: JPEGEntropyReader.windowCapacity)
        let blocks = frame.components.reduce(0) { $0 + $1.horizontal * $1.vertical }
        maxUnitBytes = blocks * JPEGBlockEncoder.maxBlockBytes
        unit = frame.unitsAcross
    }

    deinit {
        readers.deinitialize(count: index.scans.count)
        readers.deallocate()
        output.deallocate()
    }

    /// Returns the next bytes, valid until the next call; empty after the last row.
    func next() throws(DecodingFault) -> UnsafeBufferPointer<UInt8> {
        writer.next = output
        // The writer holds back up to four bytes, and stuffing may double them.
        let end = output + Self.outputCapacity - 8
        let units = index.frame.unitsAcross
        while end - writer.next >= maxUnitBytes {
            if unit == units {
                guard try decodeRow() else { break }
            }
            let count = min(units - unit, (end - writer.next) / maxUnitBytes)
            encoder.encode(unit..<unit + count, to: &writer)
            unit += count
        }
        return UnsafeBufferPointer(start: output, count: writer.next - output)
    }

    /// After the last row, ends the scan once and returns false.
    private func decodeRow() throws(DecodingFault) -> Bool {
        guard rowCount < index.frame.unitRows else {
            if rowCount == index.frame.unitRows { finish() }
            rowCount = .max
            return false
        }
        for number in 0..<index.scans.count {
            try readers[number].decodeRow(rowCount, from: &window)
        }
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
