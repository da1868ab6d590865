internal import AttachmentContainer

/// For grids, where all blocks in a column of tiles read the same few megabytes.
final class BlockTransposition: Transposing {
    /// Limit on a block, in bytes: 32 rows of a phone's pictures; larger ones are no faster.
    static let blockBytes = 512 << 10
    private static let maximumRows = 64

    private let visible: ItemTransformation
    private let rowBytes: Int
    private let rowsOfBlock: Int
    private var block: [UInt8] = []
    private var held = 0..<0
    private var strip: [UInt8] = []

    init(_ visible: ItemTransformation, rowBytes: Int) {
        self.visible = visible
        self.rowBytes = rowBytes
        rowsOfBlock = min(Self.maximumRows, max(1, Self.blockBytes / rowBytes))
    }

    func readRow(
        _ next: Int, of stored: any StoredRows, into row: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) {
        if !held.contains(next) { try fill(from: next, of: stored) }
        let start = (next - held.lowerBound) * rowBytes
        block.withUnsafeBytes {
            row.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + rowBytes]))
        }
    }

    /// Transposes rows from `next` on, as many as fit and are in the same tiles.
    private func fill(from next: Int, of stored: any StoredRows) throws(DecodingFault) {
        let isBackwards = visible.orientation.readsColumnsBackwards
        let width = visible.size.width
        // Stored column of the next row, and the columns left in its tiles.
        let x = visible.column + (isBackwards ? width - 1 - next : next)
        let inTile = x % stored.tileWidth
        let ofTile = isBackwards ? inTile + 1 : stored.tileWidth - inTile
        let count = min(rowsOfBlock, ofTile, width - next)
        let columns = isBackwards ? x - count + 1..<x + 1 : x..<x + count
        let rows = visible.rows
        try stored.hold(columns: columns, rows: rows)
        if block.isEmpty {
            block = Array(repeating: 0, count: rowsOfBlock * rowBytes)
            strip = Array(repeating: 0, count: rowsOfBlock * stored.pixelBytes)
        }
        let pixelBytes = stored.pixelBytes
        let (isUpwards, rowBytes) = (visible.orientation.readsRowsBackwards, rowBytes)
        strip.withUnsafeMutableBytes { strip in
            block.withUnsafeMutableBytes { block in
                for (index, y) in rows.enumerated() {
                    stored.readRow(y, columns: columns, into: strip)
                    let pixel = isUpwards ? rows.count - 1 - index : index
                    Self.scatter(
                        strip, count: count, isBackwards: isBackwards, pixelBytes: pixelBytes,
                        into: block, at: pixel * pixelBytes, rowBytes: rowBytes)
                }
            }
        }
        held = next..<next + count
    }

    /// In bounds: `strip` has `count` pixels and `block` has `count` rows, in each of which a whole
    /// pixel starts at `start`.
    @inline(__always)
    private static func scatter(
        _ strip: UnsafeMutableRawBufferPointer, count: Int, isBackwards: Bool, pixelBytes: Int,
        into block: UnsafeMutableRawBufferPointer, at start: Int, rowBytes: Int
    ) {
        guard let source = strip.baseAddress, let target = block.baseAddress else { return }
        for index in 0..<count {
            let from = source + (isBackwards ? count - 1 - index : index) * pixelBytes
            let to = target + (index * rowBytes + start)
            to.copyPixel(from: UnsafeRawPointer(from), bytes: pixelBytes)
        }
    }
}
