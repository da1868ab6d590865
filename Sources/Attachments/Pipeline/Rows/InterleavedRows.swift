import AttachmentContainer
import AttachmentFormats

/// Planes of RGB as interleaved rows, for a conversion of pixels.
final class InterleavedRows: PlaneRows {
    let layout: PlaneLayout
    private let planes: RGBPlaneRows
    private var row: [UInt8]

    init(_ planes: RGBPlaneRows) {
        self.planes = planes
        let plane = planes.layout.planes[0]
        layout = PlaneLayout(colours: .rgb, planes: [plane])
        row = Array(repeating: 0, count: 3 * plane.size.width)
    }

    var notes: [String] { planes.notes }

    func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
        try planes.next { plane, samples in
            self.row.withUnsafeMutableBytes { pixels in
                for (x, index) in stride(from: plane, to: pixels.count, by: 3).enumerated() {
                    pixels[index] = samples.load(fromByteOffset: x, as: UInt8.self)
                }
                // A row is not empty; the last plane completes it.
                if plane == 2, let start = pixels.baseAddress { row(0, UnsafeRawPointer(start)) }
            }
        }
    }
}
