import AttachmentModel

/// Decodes all scans of a file, a row of units at a time.
final class JPEGRowDecoder: JPEGRowSource {
    private let index: JPEGScanIndex
    private let row: JPEGCoefficientRow
    // Owned; one reader per scan.
    private let readers: UnsafeMutablePointer<JPEGScanReader>
    private var window: FileWindow

    /// The row must be zeros before each is read.
    init(_ index: JPEGScanIndex, in file: OpenFile, into row: JPEGCoefficientRow, isTolerant: Bool)
    {
        (self.index, self.row) = (index, row)
        readers = .allocate(capacity: index.scans.count)
        for (number, scan) in index.scans.enumerated() {
            (readers + number).initialize(
                to: JPEGScanReader(scan, of: index.frame, into: row, isTolerant: isTolerant))
        }
        window = FileWindow(file, capacity: JPEGEntropyReader.windowCapacity)
    }

    deinit {
        readers.deinitialize(count: index.scans.count)
        readers.deallocate()
    }

    func readRow(_ number: Int) throws(DecodingFault) {
        for scan in 0..<index.scans.count {
            try readers[scan].decodeRow(number, from: &window)
        }
    }
}
