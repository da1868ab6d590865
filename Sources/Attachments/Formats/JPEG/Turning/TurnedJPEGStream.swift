package import AttachmentModel

/// A JPEG turned upright without loss, as one baseline scan with optimal Huffman tables.
///
/// Its blocks are moved, mirrored and transposed, as `jpegtran -perfect` does. All metadata is
/// dropped; a JFIF segment states that the colours are grey or YCbCr, which the caller must know.
package final class TurnedJPEGStream: SimplerFile {
    /// JFIF 1.01 without a thumbnail, with square pixels (T.871, 10.1).
    private static let start: [UInt8] =
        [0xFF, JPEGMarker.startOfImage, 0xFF, JPEGMarker.applications.lowerBound, 0, 16]
        + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]

    private var segments: ArraySlice<UInt8>
    private let transcoder: JPEGRowTranscoder
    /// Transcoder output not yet returned; valid until the transcoder's next call.
    private var coded = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

    /// Reads the whole file; any damage is a fault.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - orientation: The orientation of the stored picture.
    ///   - ceiling: The limit on its coefficients, in bytes.
    ///   - scratch: Space for the coefficients; nil for the heap.
    ///   - notes: Collects faults that lose no pixel.
    ///   - isCancelled: Called often.
    /// - Throws: Code `unsupported` if blocks at an edge that is mirrored are not whole.
    package init(
        _ file: OpenFile, _ orientation: Orientation, ceiling: Int, scratch: ScratchSpace?,
        notes: DecodingNotes = DecodingNotes(), isCancelled: () -> Bool
    ) throws(DecodingFault) {
        let index = try JPEGScanIndex(file, loadShrink: 1, isTolerant: false)
        guard index.frame.hasWholeUnits(where: orientation.reversals) else {
            throw DecodingFault(.unsupported, at: 0, "the last blocks are not whole")
        }
        let store = try JPEGCoefficientStore(
            index.frame, orientation, ceiling: ceiling, scratch: scratch)
        try store.readAll(index, in: file, notes, isCancelled)
        let turned = JPEGFrameHeader(turning: index.frame, orientation)
        let all = turned.components.map { _ in UInt64.max }
        let rows = JPEGTurnedRows(
            store, turned, into: JPEGCoefficientRow(of: turned, neededCoefficients: all))
        let specifications = try rows.optimalSpecifications(isCancelled)
        transcoder = JPEGRowTranscoder(
            turned, from: rows,
            with: JPEGBlockEncoder(
                turned, row: rows.row, neededCoefficients: all, specifications: specifications))
        let turn = JPEGBlockTurn(orientation)
        segments = ArraySlice(
            Self.start
                + JPEGStreamHeader.segments(
                    turned, index.quantisation.map(turn.apply), specifications))
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        guard segments.isEmpty else {
            let part = segments.prefix(buffer.count)
            buffer.copyBytes(from: part)
            segments = segments.dropFirst(part.count)
            return part.count
        }
        if coded.isEmpty { coded = try transcoder.next() }
        let count = min(buffer.count, coded.count)
        buffer.copyMemory(from: UnsafeRawBufferPointer(start: coded.baseAddress, count: count))
        coded = UnsafeBufferPointer(rebasing: coded[count...])
        return count
    }
}

/// Rows of a turned picture.
private final class JPEGTurnedRows: JPEGRowSource {
    let row: JPEGCoefficientRow
    private let store: JPEGCoefficientStore
    private let frame: JPEGFrameHeader

    init(_ store: JPEGCoefficientStore, _ frame: JPEGFrameHeader, into row: JPEGCoefficientRow) {
        (self.store, self.frame, self.row) = (store, frame, row)
    }

    func readRow(_ number: Int) { store.read(number, into: row, of: frame) }

    /// Huffman tables for the symbols of all rows.
    func optimalSpecifications(
        _ isCancelled: () -> Bool
    ) throws(DecodingFault) -> [JPEGHuffmanSpecification] {
        let encoder = JPEGBlockEncoder(
            frame, row: row, neededCoefficients: frame.components.map { _ in .max })
        var counts = [UInt32](repeating: 0, count: JPEGBlockEncoder.symbolCount)
        for number in 0..<frame.unitRows {
            guard !isCancelled() else { throw .cancelled }
            readRow(number)
            counts.withUnsafeMutableBufferPointer { counts in
                guard let first = counts.baseAddress else { return }
                encoder.count(0..<frame.unitsAcross, in: first)
            }
        }
        return stride(from: 0, to: counts.count, by: 256).map {
            JPEGHuffmanSpecification(optimalFor: counts[$0..<$0 + 256])
        }
    }
}

extension JPEGCoefficientStore {
    fileprivate func readAll(
        _ index: JPEGScanIndex, in file: OpenFile, _ notes: DecodingNotes,
        _ isCancelled: () -> Bool
    ) throws(DecodingFault) {
        let row = JPEGCoefficientRow(
            of: index.frame, neededCoefficients: index.neededCoefficients)
        let decoder = JPEGRowDecoder(
            index, in: file, into: row, isTolerant: false, notes: notes)
        for number in 0..<index.frame.unitRows {
            guard !isCancelled() else { throw .cancelled }
            try decoder.readRow(number)
            write(row, number)
        }
    }
}

extension JPEGFrameHeader {
    /// True if mirrored sides end with a whole unit.
    fileprivate func hasWholeUnits(where mirrored: (across: Bool, down: Bool)) -> Bool {
        (!mirrored.across || width % (8 * horizontal) == 0)
            && (!mirrored.down || height % (8 * vertical) == 0)
    }
}

extension DecodingFault {
    fileprivate static let cancelled = DecodingFault(.cancelled, at: 0, "it was cancelled")
}
