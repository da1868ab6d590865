import AttachmentContainer
import AttachmentFormats

/// A part of a held picture, as displayed.
struct PictureView: StillPicture {
    let picture: HeldPicture
    /// Even, so that chroma is cut between its samples.
    let left: Int
    let top: Int
    let size: PixelSize

    init(_ picture: HeldPicture) {
        (self.picture, left, top, size) = (picture, 0, 0, picture.size)
    }

    private init(_ view: PictureView, _ cutout: Cutout) {
        (picture, size) = (view.picture, cutout.size)
        (left, top) = (view.left + cutout.left, view.top + cutout.top)
    }

    /// A part of the view, whose offsets must be even.
    func cut(_ cutout: Cutout) -> PictureView { PictureView(self, cutout) }

    var planeSizes: [PixelSize] { picture.colours.planeSizes(of: size) }

    /// Reads a row of a plane, in its own samples.
    func read(plane: Int, _ y: Int, into row: UnsafeMutableBufferPointer<UInt8>) {
        let divisor = plane == 0 ? 1 : 2
        let left = left / divisor
        picture.read(
            plane: plane, top / divisor + y, left..<left + planeSizes[plane].width, into: row)
    }

    /// True if the picture is RGB and full chroma is worth an attempt; reads a quarter of the rows.
    var hasSharpChroma: Bool {
        let (colours, bands) = (picture.colours, picture.colours.bands)
        guard colours == .rgb || colours == .rgba else { return false }
        let length = size.width * bands
        var detail = ChromaDetail()
        var rows = [UInt8](repeating: 0, count: 2 * length)
        rows.withUnsafeMutableBufferPointer { rows in
            for y in stride(from: 0, to: size.height - 1, by: ChromaDetail.rowStep) {
                read(plane: 0, y, into: UnsafeMutableBufferPointer(rebasing: rows[..<length]))
                read(plane: 0, y + 1, into: UnsafeMutableBufferPointer(rebasing: rows[length...]))
                detail.add(UnsafeBufferPointer(rows), bands: bands)
            }
        }
        return detail.isSharp
    }

    /// True if no pixel is transparent; reads all of them if so.
    var isOpaque: Bool {
        let bands = picture.colours.bands
        guard picture.colours.hasAlpha else { return true }
        var row = [UInt8](repeating: 0, count: size.width * bands)
        return (0..<size.height).allSatisfy { y in
            row.withUnsafeMutableBufferPointer { read(plane: 0, y, into: $0) }
            return stride(from: bands - 1, to: row.count, by: bands).allSatisfy { row[$0] == 255 }
        }
    }
}

/// The rows of a part of a held picture.
final class PictureViewRows: PlaneRows {
    let layout: PlaneLayout
    private let view: PictureView
    private var rows: [[UInt8]]
    private var y = 0

    init(_ view: PictureView) {
        self.view = view
        let colours = view.picture.colours
        let sizes = view.planeSizes
        layout = PlaneLayout(
            colours: colours.asDecoded,
            planes: sizes.enumerated().map { index, size in
                let divisor = index == 0 ? 1.0 : 2
                return PlaneLayout.Plane(
                    size,
                    covered: (
                        Double(view.size.width) / divisor, Double(view.size.height) / divisor
                    ))
            })
        rows = sizes.map { Array(repeating: 0, count: $0.width * colours.bands) }
    }

    func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
        guard y < view.size.height else { return false }
        for plane in rows.indices where plane == 0 || y % 2 == 0 {
            rows[plane].withUnsafeMutableBufferPointer { buffer in
                view.read(plane: plane, plane == 0 ? y : y / 2, into: buffer)
                // A plane that is not empty has an address.
                if let start = buffer.baseAddress { row(plane, UnsafeRawPointer(start)) }
            }
        }
        y += 1
        return true
    }
}

extension HeldPicture.Colours {
    fileprivate var asDecoded: PlaneLayout.Colours {
        switch self {
        case .grey: .grey
        case .yCbCr420: .yCbCr
        case .rgb: .rgb
        case .greyAlpha: .greyAlpha
        case .rgba: .rgba
        }
    }
}
