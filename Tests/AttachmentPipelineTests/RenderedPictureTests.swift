import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Rendered pictures") struct RenderedPictureTests {
    /// A row generator that counts readings.
    private final class Source {
        static let size = PixelSize(width: 200, height: 150)
        var rowsRead = 0

        func image() throws(VipsError) -> VipsImage {
            try .rows(size: Self.size, bands: 3, isDeep: false, colours: .rgb, profile: nil) {
                [self] row in
                for place in row.indices {
                    row[place] = UInt8(truncatingIfNeeded: place &* 7 &+ rowsRead &* 31)
                }
                rowsRead += 1
            }
        }
    }

    /// Calls `body` with scratch space, or with nil.
    private func withScratch(
        _ isThere: Bool, _ body: (ScratchSpace?) throws -> Void
    ) throws {
        try TemporaryFolder.with { folder in
            try body(isThere ? ScratchSpace(folder: folder.path, ceiling: 1 << 20) : nil)
        }
    }

    @Test(
        "A turned picture reads its source once, releases it, and can be read again",
        arguments: [
            Orientation.rotated180, .flipped, .transposed, .rotated90, .transversed, .rotated270,
        ], [true, false])
    func held(orientation: Orientation, scratch: Bool) throws {
        try withScratch(scratch) { scratch in
            weak var source: Source?
            var picture = try {
                let made = Source()
                source = made
                let picture = try orient(made.image(), orientation, in: scratch)
                #expect(made.rowsRead == Source.size.height)
                return picture
            }()
            #expect(source == nil, "the picture keeps what it was made from")
            let first = try picture.read().samples()
            let second = try picture.read().samples()
            #expect(first.count == Source.size.pixelCount * 3 && first == second)
            let isReadable = picture.isReadable
            #expect(isReadable)
        }
    }

    @Test("A streamed picture can be read once", arguments: [Orientation.upright, .mirrored])
    func streamed(orientation: Orientation) throws {
        try withScratch(true) { scratch in
            var picture = try orient(Source().image(), orientation, in: scratch)
            let before = (picture.size, picture.hasAlpha, picture.isGrey, picture.isReadable)
            #expect(before == (Source.size, false, false, true))
            #expect(try picture.read().samples().count == Source.size.pixelCount * 3)
            let isReadable = picture.isReadable
            #expect(!isReadable)
            #expect(throws: VipsError.self) { _ = try picture.read() }
        }
    }
}
