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
    /// Rows that were decoded.
    private var rowCount = 0
    /// The line of blocks in the row that is coded next; of one component, which has several.
    private var line = 0
    /// Lines of blocks in the row that are to be coded.
    private var lines = 0
    /// The unit in the line that is coded next.
    private var unit = 0
    private let unitsInLine: Int
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
        let isInterleaved = frame.components.count > 1
        unitsInLine = isInterleaved ? frame.unitsAcross : frame.components[0].columns
        let blocks = frame.components.reduce(0) { $0 + $1.horizontal * $1.vertical }
        mostUnitBytes = (isInterleaved ? blocks : 1) * JPEGBlockEncoder.mostBlockBytes
        unit = unitsInLine
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
        while (end - writer.next) >= mostUnitBytes {
            if unit == unitsInLine {
                guard try nextLine() else {
                    if rowCount == index.frame.unitRows { finish() }
                    break
                }
            }
            let count = min(unitsInLine - unit, (end - writer.next) / mostUnitBytes)
            encoder.encode(unit..<unit + count, line: line, to: &writer)
            unit += count
        }
        return UnsafeBufferPointer(start: output, count: writer.next - output)
    }

    /// Goes on to the next line of blocks, and to the next row where that was the last.
    ///
    /// - Returns: Whether there is one.
    private func nextLine() throws(DecodingFault) -> Bool {
        line += 1
        if line >= lines {
            guard rowCount < index.frame.unitRows else { return false }
            for number in 0..<index.scans.count {
                try readers[number].decodeRow(rowCount, from: &window)
            }
            let component = index.frame.components[0]
            lines =
                index.frame.components.count > 1
                ? 1 : min(component.vertical, component.lines - rowCount * component.vertical)
            line = 0
            rowCount += 1
        }
        unit = 0
        return true
    }

    /// Ends the scan and the stream, once.
    private func finish() {
        rowCount += 1
        writer.finish()
        writer.next[0] = 0xFF
        writer.next[1] = JPEGMarker.endOfImage
        writer.next += 2
    }
}
