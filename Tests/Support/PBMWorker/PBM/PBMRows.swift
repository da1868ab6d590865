import AttachmentContainer
import AttachmentFormats
import AttachmentModel

/// Rows of a PBM as grey samples.
final class PBMRows: DecodedRows {
    let layout: RowLayout
    var profile: [UInt8]? { nil }
    private var window: FileWindow

    init(_ file: AttachmentFile, from start: Int, size: PixelSize) {
        layout = RowLayout(width: size.width, height: size.height, bands: 1)
        window = FileWindow(
            file.openFile, over: min(start, file.length.bytes)..<file.length.bytes,
            capacity: Self.bufferBytes(width: size.width))
    }

    /// One packed row.
    static func bufferBytes(width: Int) -> Int { (width + 7) / 8 }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        for first in stride(from: 0, to: layout.width, by: 8) {
            guard let bits = try window.readByte() else {
                throw DecodingFault(.truncated, at: window.offset, "the PBM ends within a row")
            }
            for column in first..<min(first + 8, layout.width) {
                row[column] = bits << UInt8(column - first) & 0x80 == 0 ? 255 : 0
            }
        }
    }
}
