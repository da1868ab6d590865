import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import SampleMedia
import Testing

/// Compares the probe with the results of other readers, for a folder of real pictures.
///
/// Without the folder (see ``Corpus``) the suite is skipped.
@Suite(
    "Headers of real pictures",
    .enabled(if: Corpus.isAvailable, "no corpus: set THIMBLE_CORPUS to its folder"))
struct ProbeCorpusTests {
    /// Unreadable files, with their error codes.
    private static let refused: [String: AttachmentError.Code] = [
        "imagesize__malformed.svg": .unsupported, "imagesize__percentage.svg": .unsupported,
        "imagesize__sample.png": .corrupt, "imagesize__viewbox.svg": .unsupported,
        "imgproxy__bmp-invalid-bpp.bmp": .unsupported,
        "imgproxy__test1.svg": .unsupported, "libheif__clap-overflow-divide-zero.heic": .corrupt,
        "libvips__logo.svgz": .unsupported, "libvips__truncated.svgz": .unsupported,
        "pillowheif__corrupted.heic": .truncated, "pillowheif__empty.heic": .empty,
        "sharp__corrupt-header.jpg": .truncated,
    ]

    @Test("The table has rows, and all refused files are among them")
    func rows() {
        #expect(Corpus.pictures.count > Self.refused.count)
        #expect(Set(Self.refused.keys).isSubset(of: Corpus.pictures.map(\.file)))
    }

    @Test(
        "Each header matches the table, or is refused with the expected code",
        arguments: Corpus.pictures)
    func header(picture: Corpus.Picture) throws {
        guard Self.refused[picture.file] == nil else {
            let error = #expect(throws: AttachmentError.self) {
                try Probe().picture(at: picture.path)
            }
            #expect(error?.code == Self.refused[picture.file])
            return
        }
        let header = try Probe().picture(at: picture.path)
        #expect(header.format == picture.attachmentFormat)
        let size = picture.isSizeUpright ? header.uprightSize : header.storedSize
        #expect(picture.size == size.description)
        #expect(header.frameCount == picture.frameCount)
        #expect(header.coding.name == picture.coding)
        if let orientation = picture.orientation { #expect(header.orientation == orientation) }
        if let bits = picture.bits { #expect(header.bitsPerSample == bits) }
        if let hasAlpha = picture.hasAlpha { #expect(header.hasAlpha == hasAlpha) }
        #expect((header.profileBytes > 0) == picture.hasProfile)
    }
}
