import AttachmentContainer
import AttachmentFormats
import AttachmentModel

/// Coding of a PBM: rows of bits, each padded to whole bytes; 1 is black.
struct PBMCoding: DecodableCoding {
    /// Offset of the first row, in bytes.
    let start: Int

    var format: AttachmentFormat { AttachmentFormat(rawValue: "pbm") }
    var name: String { "packed" }

    func boundedDecoder(for header: AttachmentHeader) -> BoundedDecoderKind { .rows }

    func boundedDemand(of header: AttachmentHeader, _ conditions: DecodingConditions) -> Double {
        Double(PBMRows.bufferBytes(width: header.storedSize.width))
    }

    /// libvips is never asked.
    func isHeldWhole(_ header: AttachmentHeader) -> Bool { true }
    func libraryDemand(of header: AttachmentHeader, reduced: Double) -> LibraryDemand {
        LibraryDemand(decoder: .infinity)
    }
    var hasLibraryFallback: Bool { false }
    var libraryLoader: String? { nil }

    var rate: DecodingRate { DecodingRate(pixel: 5, byte: 0, bytesPerPixel: 0) }

    func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        .rows(PBMRows(input.file, from: start, size: header.storedSize))
    }

    func endsEarly(_ file: AttachmentFile) -> Bool { false }
}
