import AttachmentContainer
import AttachmentFormats

/// The planes of YCbCr of a bounded decoder.
final class CodedPlaneRows: PlaneRows {
    let layout: PlaneLayout
    private let planes: any DecodedPlanes

    init(_ planes: any DecodedPlanes) {
        self.planes = planes
        layout = PlaneLayout(
            colours: planes.hasAlpha ? .yCbCrAlpha : .yCbCr,
            planes: planes.planes.map {
                PlaneLayout.Plane(
                    PixelSize(width: $0.width, height: $0.height),
                    covered: ($0.coveredWidth, $0.coveredHeight))
            })
    }

    var profile: [UInt8]? { planes.profile }

    func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
        try planes.next(row)
    }
}
