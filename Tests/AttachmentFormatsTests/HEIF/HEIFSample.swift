import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

/// Our decoder's result for a file.
struct HEIFSample {
    private(set) var layout: RowLayout
    let profile: [UInt8]?
    let isToneMapped: Bool
    private(set) var rows: [UInt8]

    init(
        _ path: String, scratch: ScratchSpace, isTolerant: Bool = false,
        directBytes: Int = HEIFRows.directBytes, threads: Int = 1
    ) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var status = stat()
        fstat(descriptor, &status)
        let picture = try HEIFRows(
            in: OpenFile(descriptor: descriptor, length: Int(status.st_size)), scratch: scratch,
            isTolerant: isTolerant, directBytes: directBytes, threads: threads,
            isCancelled: { false })
        layout = picture.layout
        profile = picture.profile
        isToneMapped = !picture.notes.isEmpty
        var rows = [UInt8](repeating: 0, count: layout.rowBytes * layout.height)
        let rowBytes = layout.rowBytes
        try rows.withUnsafeMutableBytes { rows in
            for y in 0..<picture.layout.height {
                try picture.readRow(
                    into: UnsafeMutableRawBufferPointer(
                        rebasing: rows[y * rowBytes..<(y + 1) * rowBytes]))
            }
        }
        self.rows = rows
    }

    /// Difference from libheif's picture, or nil.
    ///
    /// Our grey must equal libheif's red, green and blue.
    func difference(from reference: LibheifReference) -> String? {
        guard layout.bands > 2 else { return inColour.difference(from: reference) }
        guard layout == reference.layout else { return "\(layout) for \(reference.layout)" }
        guard rows != reference.rows else { return nil }
        let place = zip(rows, reference.rows).enumerated().first { $1.0 != $1.1 }?.offset ?? -1
        let (x, y) = (place % layout.rowBytes, place / layout.rowBytes)
        return "\(rows[place]) for \(reference.rows[place]) in byte \(x) of row \(y)"
    }

    /// The same with three bands for grey.
    private var inColour: HEIFSample {
        let bytes = layout.bytesPerSample
        var colour = self
        colour.layout.bands += 2
        colour.rows = []
        for start in stride(from: 0, to: rows.count, by: layout.bands * bytes) {
            let grey = rows[start..<start + bytes]
            colour.rows += grey + grey + rows[start..<start + layout.bands * bytes]
        }
        return colour
    }
}
