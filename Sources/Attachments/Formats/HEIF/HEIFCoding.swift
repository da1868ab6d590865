package import AttachmentContainer
package import AttachmentModel

package struct HEIFCoding: PictureCoding {
    package enum Layout: Sendable, Hashable {
        case single
        case grid(tile: PixelSize?)
        case overlay
    }

    package let isAV1: Bool
    package let layout: Layout
    package let subsampling: ChromaSubsampling?
    /// Headers of the coded frames, one of each kind; empty when a header is missing.
    package let frames: [FrameHeader]
    /// Headers of the first frames of an animation's tracks; empty for a still picture.
    package internal(set) var sequence: [FrameHeader] = []
    /// True if the still is the first frame of a track, because the file has no picture item.
    var isFirstFrame = false
    /// Number of an animation's frames.
    var sequenceLength = 0
    /// Number of an animation's frames that wait while frames shown before them are decoded.
    var sequenceReordering = 0

    package init(
        isAV1: Bool, _ layout: Layout, _ subsampling: ChromaSubsampling? = .yCbCr420,
        frames: [FrameHeader]
    ) {
        self.isAV1 = isAV1
        self.layout = layout
        self.subsampling = subsampling
        self.frames = frames
    }

    package var format: AttachmentFormat { isAV1 ? .avif : .heic }
    package var name: String {
        switch layout {
        case .single: "single"
        case .grid: "grid"
        case .overlay: "overlay"
        }
    }
    package var subsamplingName: String? { subsampling?.rawValue }
    package var unitSize: PixelSize? {
        if case .grid(let tile) = layout { tile } else { nil }
    }
    package var isGrid: Bool {
        if case .grid = layout { true } else { false }
    }

    package func boundedDecoder(for header: AttachmentHeader) -> BoundedDecoderKind { .frames }
    package var decoderLibrary: DecoderLibrary? { isAV1 ? .dav1d : .libde265 }
    package var isDecodedBeforeRows: Bool { layout == .single }

    package func boundedDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double {
        HEIFDemand.bytes(of: header, self, placesBlocks: conditions.placesLargeBlocks)
    }

    /// Two tiles are decoded at the same time.
    package func secondThreadDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double {
        guard unitSize != nil else { return 0 }
        return HEIFDemand.heap(
            of: header, self, placesBlocks: conditions.placesLargeBlocks)
    }

    package func rowSource(
        for header: AttachmentHeader, _ kind: BoundedDecoderKind
    ) -> RowSource? { RowSource(ofRows: header, kind) }

    package func isHeldWhole(_ header: AttachmentHeader) -> Bool { true }

    /// Coded frames in the decoder and in libheif, and libvips' interleaved picture.
    package func libraryDemand(of header: AttachmentHeader, reduced: Double) -> LibraryDemand {
        let frames: Double = isAV1 ? (isGrid ? 4 : 3) : 2
        let samples = header.colourModel == .grey ? 1 : subsampling?.samplesPerPixel ?? 3
        let alpha: Double = header.hasAlpha ? 1 : 0
        let pixel =
            (frames * (samples + alpha) + 3 + alpha) * header.decodedSampleBytes * Self.rowPadding
        return LibraryDemand(
            decoder: Self.libraryTables, picture: Double(header.codedSize.pixelCount) * pixel)
    }

    /// The planes of the frame and of its alpha are decoded whole.
    ///
    /// Subsampling is documented for HEIF, and assumed for HEVC only.
    package func imageIODecoding(of header: AttachmentHeader) -> ImageIODecoding {
        let samples = (subsampling?.samplesPerPixel ?? 3) + (header.hasAlpha ? 1 : 0)
        return ImageIODecoding(
            isSubsampled: !isAV1,
            heldBytes: samples * header.decodedSampleBytes * Self.rowPadding)
    }

    /// libheif allocates by coded frames and derived items, so its demand cannot be predicted.
    package var hasLibraryFallback: Bool { false }
    package var isOrientedByDecoder: Bool { true }

    package func animationDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double? {
        guard !sequence.isEmpty else { return nil }
        return HEIFDemand.animation(
            sequence, count: sequenceLength, reordering: sequenceReordering,
            width: header.storedSize.width,
            placesBlocks: conditions.placesLargeBlocks)
    }

    package var still: (any PictureCoding)? {
        guard !sequence.isEmpty else { return nil }
        var still = self
        (still.sequence, still.sequenceLength, still.sequenceReordering) = ([], 0, 0)
        return still
    }

    package func stillNote(frames: String) -> String {
        isFirstFrame ? "first frame of \(frames)" : "the still picture instead of \(frames) frames"
    }

    /// Each tile has a decoder of its own.
    package var rate: DecodingRate {
        // Rates for frames that refer to others; in HEVC, 10 bits take twice as long as 8.
        if !sequence.isEmpty {
            return isAV1
                ? DecodingRate(pixel: 40, byte: 426, bytesPerPixel: 0.25)
                : DecodingRate(pixel: 65, byte: 34.1, bytesPerPixel: 0.5)
        }
        return isAV1
            ? DecodingRate(pixel: 149, byte: 426, bytesPerPixel: 0.25, tile: 200_000)
            : DecodingRate(pixel: 196, byte: 34.1, bytesPerPixel: 0.5, tile: 2_000_000)
    }

    /// Every layer of an overlay is decoded, however little of it is on the canvas.
    package func decodedPixels(of header: AttachmentHeader) -> Int {
        guard layout == .overlay else { return header.codedSize.pixelCount }
        return frames.reduce(0) { $0 + $1.codedSize.pixelCount }
    }

    private static let libraryTables = 4_000_000.0
    /// Padding of rows to whole blocks of 64.
    private static let rowPadding = 1.1
}
