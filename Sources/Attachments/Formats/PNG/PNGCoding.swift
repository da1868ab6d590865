import AttachmentContainer
package import AttachmentModel

/// Coding of a PNG (PNG specification, third edition).
package struct PNGCoding: PictureCoding {
    /// True for Adam7 interlacing: the library holds the whole picture.
    package let isInterlaced: Bool
    /// True for the default image of an animation, shown by decoders without support for animations
    /// (third edition, 4.9).
    private var isDefaultImage = false

    package init(isInterlaced: Bool = false) { self.isInterlaced = isInterlaced }

    package var format: AttachmentFormat { .png }
    package var name: String { isInterlaced ? "interlaced" : "sequential" }

    package func boundedDecoder(for header: AttachmentHeader) -> BoundedDecoderKind {
        isInterlaced || Self.isToneMapped(header) ? .rows : .none
    }

    /// True for PQ and HLG, whose rows are tone-mapped by our reader.
    static func isToneMapped(_ header: AttachmentHeader) -> Bool {
        header.profileBytes == 0 && header.colourTags?.isHighDynamicRange ?? false
    }

    package func boundedDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double {
        InterlacedPNGDemand.bytes(of: header) + Self.libraryTables
    }

    package func rowSource(
        for header: AttachmentHeader, _ kind: BoundedDecoderKind
    ) -> RowSource? {
        guard isDefaultImage || !header.isAnimated, !isInterlaced || kind == .rows else {
            return nil
        }
        // The filtered row, the unfiltered one, the converted one, and one before tone mapping.
        return RowSource(header, rowsAtOnce: Self.isToneMapped(header) ? 4 : 3)
    }

    package func isHeldWhole(_ header: AttachmentHeader) -> Bool { isInterlaced }

    package func libraryDemand(of header: AttachmentHeader, reduced: Double) -> LibraryDemand {
        // libvips also holds all bytes read from the file, in a buffer that it doubles.
        let whole =
            Double(header.storedSize.pixelCount) * header.decodedSamples
            * header.decodedSampleBytes + 2 * Double(header.fileBytes.bytes)
        return LibraryDemand(decoder: Self.libraryTables, picture: isInterlaced ? whole : 0)
    }

    package func animationDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double? {
        guard !isDefaultImage else { return nil }
        return Double(ImageDataInflater.heapBytes) + 16 * Double(max(1, header.storedSize.width))
    }

    package var still: (any PictureCoding)? {
        guard !isDefaultImage else { return nil }
        var still = self
        still.isDefaultImage = true
        return still
    }

    package func stillNote(frames: String) -> String {
        "the default image instead of \(frames) frames"
    }

    /// libpng's own rows, and the rows of very wide pictures.
    package var rowBuffering: RowBuffering { RowBuffering(rows: 33) }

    package func isDisplayReady(_ header: AttachmentHeader) -> Bool {
        !isInterlaced && header.bitsPerSample <= 8
    }

    package var rate: DecodingRate {
        isInterlaced
            ? DecodingRate(pixel: 7.3, byte: 4.9, bytesPerPixel: 8)
            : DecodingRate(pixel: 3.4, byte: 4.4, bytesPerPixel: 8)
    }

    /// Tables and buffers of libpng, in bytes.
    private static let libraryTables = 400_000.0
}
