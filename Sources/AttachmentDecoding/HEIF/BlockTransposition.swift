internal import AttachmentContainer
internal import AttachmentIntake
internal import AttachmentPlanning

/// Makes rows of the columns of a stored picture, a block of columns at a time, reading all of its
/// rows for each block.
///
/// It suits grids: the blocks of a column of tiles read the same few megabytes again and again.
final class BlockTransposition: Transposing {
    /// What a block of rows may take, in bytes: enough for 32 rows of the pictures that phones
    /// take, beyond which it is no faster.
    static let blockBytes = 512 << 10
    /// The most rows of a block.
    static let maximumRows = 64

    private let seen: ItemTransformation
    private let rowBytes: Int
    private let rowsOfBlock: Int
    /// Rows that are made, from `first` on.
    private var block: [UInt8] = []
    private var held = 0..<0
    /// Pixels of one stored row.
    private var strip: [UInt8] = []

    /// Prepares to turn a picture whose orientation exchanges its sides.
    ///
    /// - Parameters:
    ///   - seen: What is seen of the stored picture and how it must be turned.
    ///   - rowBytes: What a row takes that is made.
    init(_ seen: ItemTransformation, rowBytes: Int) {
        self.seen = seen
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

    /// Makes the rows from one on, as many as fit and lie in the same tiles.
    private func fill(from next: Int, of stored: any StoredRows) throws(DecodingFault) {
        let isBackwards = seen.orientation.readsColumnsBackwards
        let width = seen.size.width
        // The stored column that the next row is made of, and how many are left of its tiles.
        let x = seen.column + (isBackwards ? width - 1 - next : next)
        let inTile = x % stored.tileWidth
        let ofTile = isBackwards ? inTile + 1 : stored.tileWidth - inTile
        let count = min(rowsOfBlock, ofTile, width - next)
        let columns = isBackwards ? x - count + 1..<x + 1 : x..<x + count
        let rows = seen.row..<seen.row + seen.size.height
        try stored.hold(columns: columns, rows: rows)
        if block.isEmpty {
            block = Array(repeating: 0, count: rowsOfBlock * rowBytes)
            strip = Array(repeating: 0, count: rowsOfBlock * stored.pixelBytes)
        }
        let pixelBytes = stored.pixelBytes
        let (isUpwards, rowBytes) = (seen.orientation.readsRowsBackwards, rowBytes)
        strip.withUnsafeMutableBytes { strip in
            block.withUnsafeMutableBytes { block in
                for (place, y) in rows.enumerated() {
                    stored.readRow(y, columns: columns, into: strip)
                    let pixel = isUpwards ? rows.count - 1 - place : place
                    Self.scatter(
                        strip, count: count, isBackwards: isBackwards, pixelBytes: pixelBytes,
                        into: block, at: pixel * pixelBytes, rowBytes: rowBytes)
                }
            }
        }
        held = next..<next + count
    }

    /// Writes pixels below each other.
    ///
    /// Both pointers are valid for what is touched: `strip` has `count` pixels and `block` `count`
    /// rows, in each of which a whole pixel begins at `start`.
    @inline(__always)
    private static func scatter(
        _ strip: UnsafeMutableRawBufferPointer, count: Int, isBackwards: Bool, pixelBytes: Int,
        into block: UnsafeMutableRawBufferPointer, at start: Int, rowBytes: Int
    ) {
        guard let source = strip.baseAddress, let target = block.baseAddress else { return }
        for index in 0..<count {
            let from = source + (isBackwards ? count - 1 - index : index) * pixelBytes
            let to = target + (index * rowBytes + start)
            for byte in 0..<pixelBytes {
                to.storeBytes(
                    of: from.load(fromByteOffset: byte, as: UInt8.self), toByteOffset: byte,
                    as: UInt8.self)
            }
        }
    }
}
