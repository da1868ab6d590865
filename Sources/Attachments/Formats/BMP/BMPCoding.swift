internal import AttachmentContainer
package import AttachmentModel

/// Coding of a BMP: packed pixels, or runs of them.
package struct BMPCoding: PictureCoding {
    let structure: BMPStructure

    init(_ structure: BMPStructure) { self.structure = structure }

    package var format: AttachmentFormat { .bmp }
    package var name: String { structure.pixels == .runs ? "run-length" : "packed" }

    package func boundedDecoder(for header: AttachmentHeader) -> BoundedDecoderKind { .rows }

    package func boundedDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double {
        // Previews and tests plan other sizes than the file's.
        var planned = structure
        planned.size = header.storedSize
        return BMPDemand.bytes(of: planned)
    }

    package func rowSource(
        for header: AttachmentHeader, _ kind: BoundedDecoderKind
    ) -> RowSource? { RowSource(ofRows: header, kind) }

    /// libvips has no loader of its own, and its loader by ImageMagick is blocked.
    package var hasLibraryFallback: Bool { false }

    package var rate: DecodingRate {
        // With 8 bits a pixel take as long as with 24 (`bench/results/decoding-time.md`). A run has
        // two bytes.
        structure.pixels == .runs
            ? DecodingRate(pixel: 4.5, byte: 56.9, bytesPerPixel: 2)
            : DecodingRate(pixel: 7.1, byte: 0, bytesPerPixel: 4)
    }
}
