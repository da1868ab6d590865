import AttachmentContainer
package import AttachmentModel

package enum WebPCoding: PictureCoding {
    /// VP8.
    case lossy
    /// VP8L: the library holds the whole picture.
    case lossless

    package var format: AttachmentFormat { .webp }
    package var name: String {
        switch self {
        case .lossy: "lossy"
        case .lossless: "lossless"
        }
    }
    package var subsamplingName: String? { self == .lossy ? "4:2:0" : nil }

    package var decoderLibrary: DecoderLibrary? { self == .lossy ? .libwebp : nil }

    package func boundedDecoder(for header: AttachmentHeader) -> BoundedDecoderKind {
        guard !header.isAnimated else { return .none }
        return self == .lossless ? .rows : .frames
    }

    package func secondThreadDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double {
        hasFilterThread(header) ? LossyWebPDemand.secondThread(width: header.storedSize.width) : 0
    }

    /// True if libwebp may have a thread for the loop filter.
    ///
    /// Not where alpha is announced, even without an alpha plane: the encoder of PNG takes most of the time
    /// then, and waiting for the filter 2 % of it.
    func hasFilterThread(_ header: AttachmentHeader) -> Bool { self == .lossy && !header.hasAlpha }

    package func boundedDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double {
        let size = header.storedSize
        switch self {
        case .lossless:
            return LosslessWebPDemand.bytes(
                width: size.width, height: size.height, profileBytes: header.profileBytes,
                ringInScratch: conditions.usesScratch)
        case .lossy:
            return LossyWebPDemand.bytes(
                width: size.width, height: size.height, scaledWidth: conditions.requestedSize.width,
                scaledHeight: conditions.requestedSize.height, hasAlpha: header.hasAlpha,
                profileBytes: header.profileBytes)
        }
    }

    package func rowSource(
        for header: AttachmentHeader, _ kind: BoundedDecoderKind
    ) -> RowSource? {
        guard self == .lossy, kind != .none else { return RowSource(ofRows: header, kind) }
        // Planes of 4:2:0, each with alpha if the picture has any; libwebp does not reduce alpha.
        return RowSource(
            planes: [1, 0.5, 0.5], bands: header.hasAlpha ? 2 : 1, isReducible: !header.hasAlpha)
    }

    package func isHeldWhole(_ header: AttachmentHeader) -> Bool { true }

    package func libraryDemand(of header: AttachmentHeader, reduced: Double) -> LibraryDemand {
        // libwebp's canvas of a lossless picture, or of a lossy one's alpha plane (coded
        // losslessly) plus the plane. Animations hold two more frames for blending.
        let canvas: Double = self == .lossless ? 4 : header.hasAlpha ? 5 : 0
        let pixels = Double(header.storedSize.pixelCount)
        return LibraryDemand(
            decoder: Self.libraryTables + Double(header.storedSize.width) * Self.libraryColumn,
            picture: pixels * (canvas + (header.isAnimated ? 8 : 0)) + reduced * Self.blendedPixel)
    }

    /// The costlier of both codings, because frames may differ in it.
    package func animationDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double? {
        let (width, height) = (header.storedSize.width, header.storedSize.height)
        return max(
            LossyWebPDemand.bytes(
                width: width, height: height, scaledWidth: width, scaledHeight: height,
                hasAlpha: true, profileBytes: 0),
            LosslessWebPDemand.bytes(
                width: width, height: height, profileBytes: 0, ringInScratch: true))
    }

    /// Planes of 4:2:0 with alpha, or the picture of a lossless coding; animations are blended on a
    /// canvas.
    package func imageIODecoding(of header: AttachmentHeader) -> ImageIODecoding {
        let picture = self == .lossless ? 4 : header.hasAlpha ? 2.5 : 1.5
        return ImageIODecoding(heldBytes: picture + (header.isAnimated ? 8 : 0))
    }

    package var shrinkOnLoad: ShrinkOnLoad { .anySize }

    /// For libvips VP8 is, except by the bounded decoder with alpha.
    package func isScaledByDecoder(_ header: AttachmentHeader, _ kind: BoundedDecoderKind) -> Bool {
        guard self == .lossy || header.isAnimated else { return false }
        return kind == .none || !header.hasAlpha
    }

    package var rate: DecodingRate {
        switch self {
        case .lossless: DecodingRate(pixel: 14, byte: 57.5, bytesPerPixel: 4)
        case .lossy: DecodingRate(pixel: 3.1, byte: 124.6, bytesPerPixel: 1)
        }
    }

    private static let libraryTables = 500_000.0
    private static let libraryColumn = 60.0
    /// libvips blends frames at rendition size, twice four bytes a pixel.
    private static let blendedPixel = 8.0
}
