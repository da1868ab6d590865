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

    /// Room for a row of the plane; nil if the buffer is full.
    func place(for plane: Int) -> UnsafeMutableRawBufferPointer? {
        let count = rowBytes[plane]
        guard count <= bytes.count - used, planes.count < mostRows else { return nil }
        return UnsafeMutableRawBufferPointer(rebasing: bytes[used..<used + count])
    }

    /// The same after all rows are removed: an empty buffer has room for any row.
    func emptied(for plane: Int) -> UnsafeMutableRawBufferPointer {
        removeAll()
        return UnsafeMutableRawBufferPointer(rebasing: bytes[..<rowBytes[plane]])
    }

    /// Adds the row that was written to `place(for:)`.
    func add(_ plane: Int) {
        used += rowBytes[plane]
        planes.append(UInt8(plane))
    }

    /// Copies a whole row; false if there is no room.
    func append(_ plane: Int, _ row: UnsafeRawPointer) -> Bool {
        guard let place = place(for: plane) else { return false }
        place.copyMemory(from: UnsafeRawBufferPointer(start: row, count: place.count))
        add(plane)
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
