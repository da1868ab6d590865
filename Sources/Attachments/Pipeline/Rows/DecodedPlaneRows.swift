import AttachmentContainer
import AttachmentFormats
import AttachmentModel

/// The rows of a bounded decoder: grey or RGB, with or without alpha, or CMYK.
final class DecodedPlaneRows: WrittenRows {
    let layout: PlaneLayout
    private let rows: any DecodedRows
    private var row: [UInt8]
    private var y = 0

    init(_ rows: any DecodedRows) {
        let decoded = rows.layout
        self.rows = rows
        layout = PlaneLayout(
            colours: decoded.isCMYK ? .cmyk : [.grey, .greyAlpha, .rgb, .rgba][decoded.bands - 1],
            planes: [.init(PixelSize(width: decoded.width, height: decoded.height))],
            sampleBytes: decoded.bytesPerSample)
        row = Array(repeating: 0, count: decoded.rowBytes)
    }

    var profile: [UInt8]? { rows.profile }
    var tags: ColourTags? { rows.tags }
    var notes: [String] { rows.notes }

    func next(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Bool {
        guard y < layout.planes[0].size.height else { return false }
        y += 1
        try rows.readRow(into: row)
        return true
    }

    func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
        try self.row.withUnsafeMutableBytes { buffer in
            Result { () throws(DecodingFault) -> Bool in
                // A row is not empty.
                guard try next(into: buffer), let start = buffer.baseAddress else { return false }
                row(0, UnsafeRawPointer(start))
                return true
            }
        }.get()
    }
}
