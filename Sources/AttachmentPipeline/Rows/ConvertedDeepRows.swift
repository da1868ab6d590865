import AttachmentContainer
import AttachmentFormats

/// Rows of 16-bit samples, converted to 8-bit sRGB before the resampler.
///
/// For linear light and the like, whose dark parts would have few levels in 8 bits. Little CMS takes 300 ns a
/// pixel (measured), so other rows are converted after the reduction.
final class ConvertedDeepRows: PlaneRows {
    let layout: PlaneLayout
    private let rows: any PlaneRows
    private let conversion: ProfileConversion
    private var row: [UInt8]

    init(_ rows: any PlaneRows, by conversion: ProfileConversion) {
        (self.rows, self.conversion) = (rows, conversion)
        layout = PlaneLayout(colours: rows.layout.colours, planes: rows.layout.planes)
        row = Array(repeating: 0, count: layout.planes[0].size.width * layout.bands)
    }

    var notes: [String] { rows.notes }

    func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
        try rows.next { plane, samples in
            self.row.withUnsafeMutableBytes { converted in
                conversion.convertDeep(samples, to: converted)
                // A row is not empty.
                if let start = converted.baseAddress { row(plane, UnsafeRawPointer(start)) }
            }
        }
    }
}
