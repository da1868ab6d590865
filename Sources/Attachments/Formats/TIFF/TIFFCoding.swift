package import AttachmentContainer
package import AttachmentModel

/// Coding of a TIFF (TIFF 6.0, sections 3 and 15).
package struct TIFFCoding: PictureCoding {
    package let isTiled: Bool
    private let unit: PixelSize

    /// Rows of pixels, of `height` each; the last may be shorter.
    package static func strips(_ size: PixelSize) -> TIFFCoding {
        TIFFCoding(isTiled: false, unit: size)
    }

    /// Tiles, which may overhang the picture.
    package static func tiles(_ size: PixelSize) -> TIFFCoding {
        TIFFCoding(isTiled: true, unit: size)
    }

    package var format: AttachmentFormat { .tiff }
    package var name: String { isTiled ? "tiles" : "strips" }
    package var unitSize: PixelSize? { unit }

    package func boundedDecoder(for header: AttachmentHeader) -> BoundedDecoderKind { .frames }
    package var decoderLibrary: DecoderLibrary? { .libtiff }

    package func boundedDemand(
        of header: AttachmentHeader, _ conditions: DecodingConditions
    ) -> Double {
        TIFFDemand.bytes(of: header, unitSize: unit, isTiled: isTiled)
    }

    package func rowSource(
        for header: AttachmentHeader, _ kind: BoundedDecoderKind
    ) -> RowSource? { RowSource(ofRows: header, kind) }

    package func isHeldWhole(_ header: AttachmentHeader) -> Bool { false }

    /// Four times a strip or a row of tiles: decoded, copied by libvips, and, for a JPEG in several
    /// scans, two-byte coefficients.
    package func libraryDemand(of header: AttachmentHeader, reduced: Double) -> LibraryDemand {
        let rows = Double(unit.height)
        let width = Double(header.storedSize.width)
        let across = isTiled ? width + 2 * rows : width
        let pixel = header.decodedSamples * header.decodedSampleBytes
        return LibraryDemand(decoder: Self.libraryTables + 4 * rows * across * pixel)
    }

    package var rate: DecodingRate { DecodingRate(pixel: 12.5, byte: 20.4, bytesPerPixel: 8) }

    /// Limit on strips or tiles, for each of which libtiff keeps 16 bytes, and 24 temporarily:
    /// twenty times the number for 48 megapixels in single rows, or in tiles of 96 × 96.
    static let unitCeiling = 1 << 17

    private static let libraryTables = 800_000.0
}
