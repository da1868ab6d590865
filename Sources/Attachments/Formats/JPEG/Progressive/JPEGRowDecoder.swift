import AttachmentModel

/// Decodes all scans of a file, a row of units at a time.
final class JPEGRowDecoder: JPEGRowSource {
    private let index: JPEGScanIndex
    private let row: JPEGCoefficientRow
    private let notes: DecodingNotes
    // Owned; one reader per scan.
    private let readers: UnsafeMutablePointer<JPEGScanReader>
    private var window: FileWindow

    /// The row must be zeros before each is read.
    init(
        _ index: JPEGScanIndex, in file: OpenFile, into row: JPEGCoefficientRow,
        isTolerant: Bool, notes: DecodingNotes
    ) {
        (self.index, self.row, self.notes) = (index, row, notes)
        index.faults.forEach(notes.add)
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
            if readers[scan].entropy.hasOtherRestarts { notes.add(.restartOrder) }
        }
    }
}
