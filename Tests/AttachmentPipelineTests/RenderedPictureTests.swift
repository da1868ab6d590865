import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline

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
                return true
            }
        }
    }

    /// Calls `body` with a rendering context.
    private func withContext(
        scratch: Bool, _ body: @Sendable (RenderingContext) throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let space = ScratchSpace(folder: folder.path, ceiling: 1 << 20)
            let ledger = MemoryLedger(cap: MemoryCap(.mebibytes(64))) { ByteCount(0) }
            let result = try await ledger.withGrant(ByteCount(1), of: ledger.budget, until: nil) {
                grant in
                Result {
                    try body(
                        RenderingContext(
                            strictness: .truncation, cancellation: Cancellation(), grant: grant,
                            scratch: scratch ? space : nil, conversionHeap: nil,
                            outputs: RenditionOutputs(from: .folder(folder.path))))
                }
            }
            try result.get()
        }
    }

    @Test(
        "A turned picture reads its source once, releases it, and can be read again",
        arguments: [
            Orientation.rotated180, .flipped, .transposed, .rotated90, .transversed, .rotated270,
        ], [true, false])
    func held(orientation: Orientation, scratch: Bool) async throws {
        try await withContext(scratch: scratch) { context in
            weak var source: Source?
            var picture = try {
                let made = Source()
                source = made
                let picture = try orient(made.image(), orientation, context)
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
    func streamed(orientation: Orientation) async throws {
        try await withContext(scratch: true) { context in
            var picture = try orient(Source().image(), orientation, context)
            let before = (picture.size, picture.hasAlpha, picture.isGrey, picture.isReadable)
            #expect(before == (Source.size, false, false, true))
            #expect(try picture.read().samples().count == Source.size.pixelCount * 3)
            let isReadable = picture.isReadable
            #expect(!isReadable)
            #expect(throws: VipsError.self) { _ = try picture.read() }
        }
    }
}
