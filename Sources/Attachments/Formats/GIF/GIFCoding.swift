import AttachmentContainer
package import AttachmentModel

/// Coding of a GIF: LZW over a palette (GIF89a, appendix F).
package struct GIFCoding: PictureCoding {
    package init() {}

    package var format: AttachmentFormat { .gif }
    package var name: String { "palette" }

    package func boundedDecoder(for header: AttachmentHeader) -> BoundedDecoderKind { .rows }

    package func boundedDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double {
        GIFDemand.bytes(width: header.storedSize.width)
    }

    package func rowSource(
        for header: AttachmentHeader, _ kind: BoundedDecoderKind
    ) -> RowSource? { RowSource(ofRows: header, kind) }

    package func isHeldWhole(_ header: AttachmentHeader) -> Bool { true }

    /// libnsgif's canvas, plus the previous frame of an animation.
    package func libraryDemand(of header: AttachmentHeader, reduced: Double) -> LibraryDemand {
        LibraryDemand(
            decoder: Self.libraryTables,
            picture: Double(header.storedSize.pixelCount) * (header.isAnimated ? 8.4 : 4.2))
    }

    /// Indices, and the previous frame of an animation.
    package func imageIODecoding(of header: AttachmentHeader) -> ImageIODecoding {
        ImageIODecoding(heldBytes: header.isAnimated ? 5 : 1)
    }

    package func animationDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double? {
        GIFDemand.bytes(width: header.storedSize.width)
    }

    package func isDisplayReady(_ header: AttachmentHeader) -> Bool { true }

    package var rate: DecodingRate { DecodingRate(pixel: 3.4, byte: 3.1, bytesPerPixel: 2) }

    private static let libraryTables = 500_000.0
}
