internal import AttachmentContainer
internal import AttachmentModel

/// Run-length coded rows of a BMP, in any order, through an index of their places.
///
/// Pixels that the file skips have index 0, as in Pillow and FFmpeg; in 24 bits they are black.
final class BMPRunRows {
    private struct RowStart {
        /// Offset of the row's first code from the picture's first; `missing` for a skipped row.
        var offset = missing
        /// Column at which the row begins, after a skip of rows.
        var column: UInt32 = 0

        static let missing = UInt32.max
    }

    private let structure: BMPStructure
    private var codes: BMPRunCodes
    private var starts: [RowStart]
    private var row: [UInt8]

    /// Between calls of `isCancelled`, in codes.
    private static let codesBetweenChecks = 1 << 14

    /// Reads all codes once.
    init(
        _ file: OpenFile, _ structure: BMPStructure, isTolerant: Bool,
        isCancelled: () -> Bool
    ) throws(DecodingFault) {
        self.structure = structure
        codes = BMPRunCodes(file, from: structure.dataOffset, bits: structure.bitsPerPixel)
        starts = [RowStart](repeating: RowStart(), count: structure.size.height)
        row = [UInt8](repeating: 0, count: structure.size.width * codes.pixelBytes)
        let isComplete = try findRows(isCancelled)
        guard isComplete || isTolerant else {
            throw DecodingFault(.truncated, at: codes.offset, "the runs end before the picture")
        }
    }

    static func heapBytes(of structure: BMPStructure) -> Int {
        structure.size.height * MemoryLayout<RowStart>.stride + BMPRunCodes.windowBytes
            + structure.size.width * BMPRunCodes.pixelBytes(bits: structure.bitsPerPixel)
    }

    /// Passes the row `y` from the top to `body`: a byte for each index, three for each pixel of 24
    /// bits.
    func withRow(
        _ y: Int, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(DecodingFault) {
        let start = starts[structure.isTopDown ? y : structure.size.height - 1 - y]
        for index in row.indices { row[index] = 0 }
        if start.offset != RowStart.missing {
            codes.seek(to: structure.dataOffset + Int(start.offset))
            try draw(from: Int(start.column))
        }
        row.withUnsafeBytes { body($0) }
    }

    private func draw(from first: Int) throws(DecodingFault) {
        var column = first
        while let code = try codes.next() {
            switch code {
            case .run(let count): try codes.drawRun(count, at: column, in: &row)
            case .literals(let count): try codes.drawLiterals(count, at: column, in: &row)
            case .skip(_, 0): break
            case .endOfRow, .endOfPicture, .skip: return
            }
            column = min(column + code.columns, structure.size.width)
        }
    }

    /// Fills the index; false if the codes end before the last pixel.
    private func findRows(_ isCancelled: () -> Bool) throws(DecodingFault) -> Bool {
        let (width, height) = (structure.size.width, structure.size.height)
        var (column, y, count) = (0, 0, 0)
        starts[0].offset = 0
        while let code = try codes.next() {
            count += 1
            if count % Self.codesBetweenChecks == 0, isCancelled() {
                throw DecodingFault(.cancelled, at: codes.offset, "it was cancelled")
            }
            switch code {
            case .run, .literals:
                guard try codes.skipPixels(of: code) else { return false }
                column = min(column + code.columns, width)
                continue
            case .endOfRow: (column, y) = (0, y + 1)
            case .skip(let columns, let rows):
                column = min(column + columns, width)
                guard rows > 0 else { continue }
                y += rows
            case .endOfPicture: return true
            }
            guard y < height else { return true }
            let offset = codes.offset - structure.dataOffset
            guard offset < RowStart.missing else { return false }
            starts[y] = RowStart(offset: UInt32(offset), column: UInt32(column))
        }
        return y == height - 1 && column == width
    }
}
