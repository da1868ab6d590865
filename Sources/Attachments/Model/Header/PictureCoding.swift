package import AttachmentContainer

/// Pixel coding of one picture, and the memory and time that its format declares for decoding it.
///
/// Every format has one conforming type. The planner adds up these declarations and knows no
/// format. Demands are upper bounds in bytes that never fall as a picture grows in its proportions.
package protocol PictureCoding: Sendable, Hashable {
    var format: AttachmentFormat { get }
    /// Name in manifests and reports, such as `progressive`.
    var name: String { get }
    /// For reports, such as `4:2:0`.
    var subsamplingName: String? { get }
    var unitSize: PixelSize? { get }

    func boundedDecoder(for header: AttachmentHeader) -> BoundedDecoderKind
    /// C library behind the bounded decoder; nil for decoders of our own.
    var decoderLibrary: DecoderLibrary? { get }
    var isDecodedBeforeRows: Bool { get }
    /// Heap of the bounded decoder, with any library decoder behind it.
    func boundedDemand(of header: AttachmentHeader, _ conditions: DecodingConditions) -> Double

    /// Heap that the decoder takes with two threads beyond one; 0 if it decodes with one only.
    func secondThreadDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double
    /// Groups of rows that two decoders can decode independently of each other; nil if rows depend on
    /// those before.
    func rowGroups(of header: AttachmentHeader) -> RowGroups?

    func isHeldWhole(_ header: AttachmentHeader) -> Bool
    /// Memory of the library's decoder; `reduced` is the number of pixels after reduction.
    func libraryDemand(of header: AttachmentHeader, reduced: Double) -> LibraryDemand
    /// True if the library may decode codings that the bounded decoder does not support.
    var hasLibraryFallback: Bool { get }

    /// Memory of the system's decoder on Apple's platforms.
    func imageIODecoding(of header: AttachmentHeader) -> ImageIODecoding

    /// Memory for turning the picture upright without loss; nil if its coding or size rule it out.
    func turning(of header: AttachmentHeader) -> TurningDemand?

    /// Decoded rows for the engine of rows; nil if only libvips takes them.
    ///
    /// `kind` is the chosen bounded decoder.
    func rowSource(for header: AttachmentHeader, _ kind: BoundedDecoderKind) -> RowSource?

    /// Heap of the decoder of an animation's frames; nil if animations are not converted.
    func animationDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double?
    /// Coding of the still picture of an animation's file; nil without one.
    var still: (any PictureCoding)? { get }
    /// Note on the still that is shown of a file with so many frames.
    func stillNote(frames: String) -> String

    var shrinkOnLoad: ShrinkOnLoad { get }
    /// True if the decoder's rows for libvips already have the rendition's size.
    func isScaledByDecoder(_ header: AttachmentHeader, _ kind: BoundedDecoderKind) -> Bool
    var isOrientedByDecoder: Bool { get }
    /// Rows between the decoder and the box filter.
    var rowBuffering: RowBuffering { get }
    func isDisplayReady(_ header: AttachmentHeader) -> Bool
    /// Quality of a lossy coding on libjpeg's scale, 1 to 100; nil if unknown or lossless.
    var quality: Int? { get }
    var rate: DecodingRate { get }
    /// Pixels that are decoded; the layers of a picture may have more than the picture.
    func decodedPixels(of header: AttachmentHeader) -> Int
}

extension PictureCoding {
    package var subsamplingName: String? { nil }
    package var unitSize: PixelSize? { nil }
    package var decoderLibrary: DecoderLibrary? { nil }
    package var isDecodedBeforeRows: Bool { false }
    package func secondThreadDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double { 0 }
    package func rowGroups(of header: AttachmentHeader) -> RowGroups? { nil }
    /// No library decodes the picture, unless a coding declares its demand.
    package func isHeldWhole(_ header: AttachmentHeader) -> Bool { true }
    package func libraryDemand(of header: AttachmentHeader, reduced: Double) -> LibraryDemand {
        LibraryDemand(decoder: .infinity)
    }
    package var hasLibraryFallback: Bool { true }
    package var quality: Int? { nil }
    package func imageIODecoding(of header: AttachmentHeader) -> ImageIODecoding {
        ImageIODecoding()
    }
    package func rowSource(
        for header: AttachmentHeader, _ kind: BoundedDecoderKind
    ) -> RowSource? { nil }
    package func turning(of header: AttachmentHeader) -> TurningDemand? { nil }
    package func animationDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double? { nil }
    package var still: (any PictureCoding)? { nil }
    package func stillNote(frames: String) -> String { "first frame of \(frames)" }
    package var shrinkOnLoad: ShrinkOnLoad { .none }
    package func isScaledByDecoder(
        _ header: AttachmentHeader, _ kind: BoundedDecoderKind
    ) -> Bool { false }
    package var isOrientedByDecoder: Bool { false }
    package var rowBuffering: RowBuffering { RowBuffering() }
    package func isDisplayReady(_ header: AttachmentHeader) -> Bool { false }
    package func decodedPixels(of header: AttachmentHeader) -> Int { header.codedSize.pixelCount }
}

struct HashableCoding: Sendable, Hashable {
    let base: any PictureCoding

    static func == (left: Self, right: Self) -> Bool {
        AnyHashable(left.base) == AnyHashable(right.base)
    }

    func hash(into hasher: inout Hasher) { base.hash(into: &hasher) }
}

package enum BoundedDecoderKind: Sendable {
    /// None: the library decodes row by row, or nothing else can decode the picture.
    case none
    case rows
    case frames
}

package struct DecodingConditions: Sendable {
    /// True if data held whole lies in scratch files.
    package let usesScratch: Bool
    /// True if large heap blocks of libraries lie in scratch files.
    package let placesLargeBlocks: Bool
    package let requestedSize: PixelSize

    package init(usesScratch: Bool, placesLargeBlocks: Bool, requestedSize: PixelSize) {
        self.usesScratch = usesScratch
        self.placesLargeBlocks = placesLargeBlocks
        self.requestedSize = requestedSize
    }
}

/// Memory of a library's decoder, in bytes.
package struct LibraryDemand: Sendable {
    package let decoder: Double
    /// Picture data held whole; 0 for decoders that hold a few rows.
    package let picture: Double

    package init(decoder: Double, picture: Double = 0) {
        self.decoder = decoder
        self.picture = picture
    }
}

/// Memory for turning a picture upright in its coded form, in bytes.
package struct TurningDemand: Sendable {
    /// Coded picture held whole; not footprint when it lies in a scratch file.
    package let held: Double
    /// Everything else.
    package let working: Double

    package init(held: Double, working: Double) {
        self.held = held
        self.working = working
    }
}

/// Rows that a decoder gives to the engine of rows.
package struct RowSource: Sendable {
    /// Columns of each plane's samples per pixel; one plane, of interleaved samples, unless YCbCr.
    package let planes: [Double]
    /// Interleaved samples per column.
    package let bands: Double
    /// Rows decoded at once, all of which are in memory.
    package let rowsAtOnce: Double
    /// True if the decoder reduces both sides by 1/2, 1/4 or 1/8, as libjpeg and libwebp do.
    package let isReducible: Bool

    package init(
        planes: [Double] = [1], bands: Double = 1, rowsAtOnce: Double = 1, isReducible: Bool = false
    ) {
        self.planes = planes
        self.bands = bands
        self.rowsAtOnce = rowsAtOnce
        self.isReducible = isReducible
    }

    /// The rows of one of our own decoders; nil without one.
    package init?(ofRows header: AttachmentHeader, _ kind: BoundedDecoderKind) {
        guard kind != .none else { return nil }
        self.init(header)
    }

    /// Rows of interleaved samples.
    package init(
        _ header: AttachmentHeader, rowsAtOnce: Double = 1, isReducible: Bool = false
    ) {
        let colours: Double =
            switch header.colourModel {
            case .grey: 1
            case .rgb, .palette: 3
            case .cmyk: 4
            }
        self.init(
            bands: colours + (header.hasAlpha ? 1 : 0), rowsAtOnce: rowsAtOnce,
            isReducible: isReducible)
    }
}

package enum ShrinkOnLoad: Sendable {
    case none
    case divisors
    case anySize
}

package struct RowBuffering: Sendable {
    /// Rows in libvips' and the decoder's buffers.
    package let rows: Double
    package let atOnce: Double

    package init(rows: Double = 20, atOnce: Double = 1) {
        self.rows = rows
        self.atOnce = atOnce
    }
}

/// Nanoseconds per pixel and per byte of the file, from `bench/decoding-time/rates.py`
/// (`bench/results/decoding-time.md`), and per tile (`bench/README.md`).
package struct DecodingRate: Sendable {
    package let pixel: Double
    package let byte: Double
    /// Files also hold undecoded data, such as other frames or metadata.
    package let bytesPerPixel: Double
    /// Per tile, besides its pixels.
    package let tile: Double

    package init(pixel: Double, byte: Double, bytesPerPixel: Double, tile: Double = 0) {
        self.pixel = pixel
        self.byte = byte
        self.bytesPerPixel = bytesPerPixel
        self.tile = tile
    }
}
