import AttachmentContainer
import AttachmentFormats

/// Rows of all planes, in the order in which they were decoded.
final class RowBuffer {
    private let bytes: UnsafeMutableRawBufferPointer
    private let rowBytes: [Int]
    private let mostRows: Int
    private var used = 0
    private var planes: [UInt8] = []
    /// Number of the next row to read, and its first byte.
    private var next = (row: 0, start: 0)
    /// Set for the last rows: the end of the picture, or the fault that follows them.
    var ending: Result<Void, DecodingFault>?

    /// Has room for so many bytes, and so many rows.
    init(_ layout: PlaneLayout, bytes count: Int, rows: Int) {
        rowBytes = layout.rowBytes
        mostRows = rows
        bytes = .allocate(byteCount: count, alignment: 64)
        planes.reserveCapacity(rows)
    }

    deinit { bytes.deallocate() }

    /// Copies a whole row; false if there is no room.
    func append(_ plane: Int, _ row: UnsafeRawPointer) -> Bool {
        let count = rowBytes[plane]
        guard count <= bytes.count - used, planes.count < mostRows,
            let start = bytes.baseAddress
        else { return false }
        (start + used).copyMemory(from: row, byteCount: count)
        used += count
        planes.append(UInt8(plane))
        return true
    }

    func removeAll() {
        used = 0
        planes.removeAll(keepingCapacity: true)
        next = (0, 0)
    }

    /// Passes on the next row; false after the last.
    func readNext(_ row: (Int, UnsafeRawPointer) -> Void) -> Bool {
        guard next.row < planes.count, let first = bytes.baseAddress else { return false }
        let plane = Int(planes[next.row])
        row(plane, UnsafeRawPointer(first + next.start))
        next = (next.row + 1, next.start + rowBytes[plane])
        return true
    }
}
