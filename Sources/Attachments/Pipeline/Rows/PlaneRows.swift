import AttachmentContainer
import AttachmentFormats
import AttachmentModel

/// Planes of a picture, read once from top to bottom.
protocol PlaneRows: AnyObject {
    var layout: PlaneLayout { get }
    /// ICC profile of the samples, or nil.
    var profile: [UInt8]? { get }
    /// Colours without a profile; nil for sRGB.
    var tags: ColourTags? { get }
    /// Losses to note in the manifest.
    var notes: [String] { get }
    /// Reads the next rows, in order within each plane; false at the end.
    ///
    /// The pointer is to a whole row of the plane with this index, and valid during the call.
    func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool
}

extension PlaneRows {
    var profile: [UInt8]? { nil }
    var tags: ColourTags? { nil }
    var notes: [String] { [] }
}

/// Rows of one plane that are written where the caller needs them.
protocol WrittenRows: PlaneRows {
    /// Writes the next row into exactly its bytes; false at the end.
    func next(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Bool
}

struct PlaneLayout {
    enum Colours {
        case grey
        /// Three planes; chroma may have fewer samples.
        case yCbCr
        /// Same, with each sample followed by its alpha, which is not premultiplied.
        case yCbCrAlpha
        /// Three planes of the same size.
        case rgbPlanes
        /// One plane of interleaved samples, as in all following cases.
        case rgb
        case greyAlpha
        /// Alpha is not premultiplied.
        case rgba
        case cmyk
        /// The largest sample is no ink.
        case invertedCMYK

        var isGrey: Bool { self == .grey || self == .greyAlpha }
    }

    struct Plane {
        let size: PixelSize
        /// Part of the samples that the picture covers; chroma may end inside a sample.
        let covered: (width: Double, height: Double)

        init(_ size: PixelSize, covered: (width: Double, height: Double)? = nil) {
            self.size = size
            self.covered = covered ?? (Double(size.width), Double(size.height))
        }
    }

    let colours: Colours
    let planes: [Plane]
    /// 1, or 2 for full-range 16-bit samples in native byte order.
    var sampleBytes = 1

    var bands: Int {
        switch colours {
        case .grey, .yCbCr, .rgbPlanes: 1
        case .greyAlpha, .yCbCrAlpha: 2
        case .rgb: 3
        case .rgba, .cmyk, .invertedCMYK: 4
        }
    }

    /// Bytes of a row of each plane.
    var rowBytes: [Int] { planes.map { $0.size.width * bands * sampleBytes } }

    /// True if rows of the other layout have the same samples in the same planes.
    func hasRows(of other: PlaneLayout) -> Bool {
        colours == other.colours && sampleBytes == other.sampleBytes
            && planes.map(\.size) == other.planes.map(\.size)
    }

    var hasAlpha: Bool { [.greyAlpha, .yCbCrAlpha, .rgba].contains(colours) }
    var model: SourceColours.Model { hasInks ? .cmyk : colours.isGrey ? .grey : .rgb }
    var hasInks: Bool { colours == .cmyk || colours == .invertedCMYK }
}
