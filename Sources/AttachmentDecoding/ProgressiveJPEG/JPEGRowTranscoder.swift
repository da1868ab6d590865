/// Makes the entropy-coded data of the stream: decodes all scans over one row of units, codes the
/// row, and goes on to the next.
final class JPEGRowTranscoder {
    /// What the memory for coded units holds, in bytes; four times the largest unit.
    static let outputCapacity = 20 << 10

    private let index: JPEGScanIndex
    private let row: JPEGCoefficientRow
    private let encoder: JPEGBlockEncoder
    // Owned: one reader for each scan.
    private let readers: UnsafeMutablePointer<JPEGScanReader>
    private let output: UnsafeMutablePointer<UInt8>
    private var writer: JPEGBitWriter
    private var window: FileWindow
    /// Rows that were decoded; more than there are when the stream has its end.
    private var rowCount = 0
    /// The unit of the row that is coded next.
    private var unit: Int
    private let mostUnitBytes: Int

    /// Makes a transcoder at the first row.
    ///
    /// - Parameters:
    ///   - index: What the file holds.
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - length: What it holds, in bytes.
    ///   - isTolerant: Whether damage is passed over as libjpeg does.
    init(_ index: JPEGScanIndex, descriptor: CInt, length: Int, isTolerant: Bool) {
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
        window = FileWindow(
            descriptor: descriptor, over: 0..<length, capacity: JPEGEntropyReader.windowCapacity)
        let blocks = frame.components.reduce(0) { $0 + $1.horizontal * $1.vertical }
        mostUnitBytes = blocks * JPEGBlockEncoder.mostBlockBytes
        unit = frame.unitsAcross
    }

    deinit {
        readers.deinitialize(count: index.scans.count)
        readers.deallocate()
        output.deallocate()
    }

    /// Makes the next bytes.
    ///
    /// - Returns: Bytes that are valid up to the next call; none behind the last row.
    /// - Throws: `DecodingFault`.
    func next() throws(DecodingFault) -> UnsafeBufferPointer<UInt8> {
        writer.next = output
        // A writer holds back up to four bytes, each of which may be stuffed.
        let end = output + Self.outputCapacity - 8
        let units = index.frame.unitsAcross
        while end - writer.next >= mostUnitBytes {
            if unit == units {
                guard try decodeRow() else { break }
            }
            let count = min(units - unit, (end - writer.next) / mostUnitBytes)
            encoder.encode(unit..<unit + count, to: &writer)
            unit += count
        }
        return UnsafeBufferPointer(start: output, count: writer.next - output)
    }

    /// Decodes the next row; behind the last one ends the scan and the stream, once.
    ///
    /// - Returns: Whether there is a row to be coded.
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
