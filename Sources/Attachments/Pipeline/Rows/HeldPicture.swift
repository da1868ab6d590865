import AttachmentContainer
import AttachmentFormats
import AttachmentModel

/// The reduced picture: readable repeatedly, and in its displayed orientation.
///
/// The phone's camera gives 2 MB of it. They lie in a scratch file if allowed.
final class HeldPicture {
    enum Colours {
        case grey
        /// Chroma of half the size, rounded up, with centred samples (ITU-T T.871, section 7).
        case yCbCr420
        /// Interleaved, as all that follow.
        case rgb
        case greyAlpha
        /// Alpha is not premultiplied.
        case rgba
    }

    let colours: Colours
    /// Displayed size.
    let size: PixelSize
    let planes: [HeldPlane]
    var notes: [String]
    private let orientation: Orientation

    /// `stored` is the size before orientation.
    init(
        _ stored: PixelSize, _ colours: Colours, _ orientation: Orientation, notes: [String],
        scratch: ScratchSpace?
    ) throws(DecodingFault) {
        (self.colours, self.orientation, self.notes) = (colours, orientation, notes)
        size = orientation.upright(stored)
        let sizes = colours.planeSizes(of: stored)
        var planes: [HeldPlane] = []
        for plane in sizes {
            planes.append(
                try HeldPlane(
                    plane, bands: colours.bands, isReadByColumns: orientation.exchangesSides,
                    scratch: scratch))
        }
        self.planes = planes
    }

    /// Reads part of a displayed row of a plane; `columns` and `y` are in its own samples.
    func read(
        plane index: Int, _ y: Int, _ columns: Range<Int>,
        into row: UnsafeMutableBufferPointer<UInt8>
    ) {
        let plane = planes[index]
        let (across, down) = orientation.reversals
        if orientation.exchangesSides {
            let x = across ? plane.size.width - 1 - y : y
            plane.read(line: x, columns, reversed: down, into: row)
        } else {
            let stored = down ? plane.size.height - 1 - y : y
            plane.read(line: stored, columns, reversed: across, into: row)
        }
    }
}

extension HeldPicture.Colours {
    /// Interleaved samples.
    var bands: Int {
        switch self {
        case .grey, .yCbCr420: 1
        case .greyAlpha: 2
        case .rgb: 3
        case .rgba: 4
        }
    }

    var hasAlpha: Bool { self == .greyAlpha || self == .rgba }
    var isGrey: Bool { self == .grey || self == .greyAlpha }

    func planeSizes(of size: PixelSize) -> [PixelSize] {
        let chroma = PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2)
        return self == .yCbCr420 ? [size, chroma, chroma] : [size]
    }
}
