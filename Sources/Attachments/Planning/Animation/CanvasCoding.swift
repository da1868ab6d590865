import AttachmentContainer
import AttachmentModel

/// Pixels of an animation's canvas: stored uncompressed and read row by row.
struct CanvasCoding: PictureCoding {
    let format: AttachmentFormat

    var name: String { "canvas" }

    func boundedDecoder(for header: AttachmentHeader) -> BoundedDecoderKind { .rows }

    /// Demand of one row.
    func boundedDemand(of header: AttachmentHeader, _ conditions: DecodingConditions) -> Double {
        Double(header.storedSize.width) * header.decodedSamples
    }

    func rowSource(
        for header: AttachmentHeader, _ kind: BoundedDecoderKind
    ) -> RowSource? { RowSource(header) }

    func isHeldWhole(_ header: AttachmentHeader) -> Bool { true }

    func libraryDemand(of header: AttachmentHeader, reduced: Double) -> LibraryDemand {
        LibraryDemand(
            decoder: 0, picture: Double(header.storedSize.pixelCount) * header.decodedSamples)
    }

    /// Copying pixels; the frames count separately.
    var rate: DecodingRate { DecodingRate(pixel: 1, byte: 0, bytesPerPixel: 1) }
}
