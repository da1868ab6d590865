internal import AttachmentContainer

/// Transposition of single pictures: output rows share pages of a scratch file.
final class ScratchTransposition: Transposing {
    /// Side of a block, in pixels: its bytes fill most of a page.
    private static let side = 32

    private let visible: ItemTransformation
    private let rowBytes: Int
    private let decoder: FrameDecoder
    private var mapping: ScratchMapping?
    private var prefetched: Int?

    init(_ visible: ItemTransformation, rowBytes: Int, decoder: FrameDecoder) {
        self.visible = visible
        self.rowBytes = rowBytes
        self.decoder = decoder
    }

    private var width: Int { visible.size.width }
    private var height: Int { visible.size.height }

    func readRow(
        _ next: Int, of stored: any StoredRows, into row: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) {
        if mapping == nil { mapping = try transpose(stored) }
        guard let mapping, let base = mapping.file.bytes.baseAddress, let target = row.baseAddress
        else { return }
        let pixelBytes = stored.pixelBytes
        let x = visible.orientation.readsColumnsBackwards ? width - 1 - next : next
        let column = x / Self.side * Self.side
        let across = min(Self.side, width - column)
        // All blocks to the left and in this column, as in `transpose`.
        let start = base + column * height * pixelBytes
        if prefetched != column {
            mapping.file.willNeed(start, across * height * pixelBytes)
            prefetched = column
        }
        var y = 0
        while y < height {
            let down = min(Self.side, height - y)
            let source = start + (y * across + (x - column) * down) * pixelBytes
            (target + y * pixelBytes).copyMemory(from: source, byteCount: down * pixelBytes)
            y += down
        }
    }

    /// Writes the picture column of blocks by column of blocks, and each block column by column.
    ///
    /// Rows that the orientation reads backwards are placed from the end of each column on.
    private func transpose(_ stored: any StoredRows) throws(DecodingFault) -> ScratchMapping {
        let pixelBytes = stored.pixelBytes
        let mapping = try decoder.scratch.makeMapping(bytes: rowBytes * width)
        var band = [UInt8](repeating: 0, count: min(Self.side, height) * width * pixelBytes)
        let columns = visible.columns
        let isUpwards = visible.orientation.readsRowsBackwards
        let starts = stride(from: 0, to: height, by: Self.side)
        for first in isUpwards ? Array(starts.reversed()) : Array(starts) {
            guard !decoder.isCancelled() else {
                throw DecodingFault(.cancelled, at: 0, "it was cancelled")
            }
            let down = min(Self.side, height - first)
            let top = visible.row + (isUpwards ? height - first - down : first)
            for line in 0..<down {
                let y = top + line
                try stored.hold(columns: columns, rows: y..<y + 1)
                let start = (isUpwards ? down - 1 - line : line) * width * pixelBytes
                band.withUnsafeMutableBytes {
                    stored.readRow(
                        y, columns: columns,
                        into: UnsafeMutableRawBufferPointer(
                            rebasing: $0[start..<start + width * pixelBytes]))
                }
            }
            band.withUnsafeBytes {
                write($0, rows: first..<first + down, pixelBytes: pixelBytes, to: mapping)
            }
        }
        return mapping
    }

    /// In bounds: `band` has `rows.count` rows, and the mapping has room for every pixel.
    private func write(
        _ band: UnsafeRawBufferPointer, rows: Range<Int>, pixelBytes: Int,
        to mapping: ScratchMapping
    ) {
        guard let source = band.baseAddress, let base = mapping.file.bytes.baseAddress else {
            return
        }
        let (width, height, down) = (width, height, rows.count)
        var column = 0
        while column < width {
            let across = min(Self.side, width - column)
            var target = base + (column * height + rows.lowerBound * across) * pixelBytes
            for x in column..<column + across {
                var pixel = source + x * pixelBytes
                for _ in 0..<down {
                    target.copyPixel(from: pixel, bytes: pixelBytes)
                    target += pixelBytes
                    pixel += width * pixelBytes
                }
            }
            column += across
        }
    }
}
