import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import Randomness
import Testing

@Suite("Limits and bad input", .timeLimit(.minutes(2)))
struct LimitTests {
    /// Noise, which compresses worst.
    private func noise(_ size: PixelSize, bands: Int) throws -> VipsImage {
        var random = SplitMix64(seed: 1)
        let samples = (0..<size.pixelCount * bands).map { _ in
            UInt8(truncatingIfNeeded: random.next())
        }
        return try VipsImage.from(samples: samples, size: size, bands: bands)
            .applying("copy", ["interpretation": .name("srgb")])
    }

    @Test("Quality or size is reduced until the file is under the ceiling")
    func byteCeiling() async throws {
        try await ProcessorFixture.with { fixture in
            try noise(PixelSize(width: 1000, height: 800), bands: 3)
                .write(to: fixture.url("in.jpg"), with: "jpegsave_target")
            for (ceiling, keepsSize) in [(400_000, true), (20_000, false)] {
                let manifest = try await fixture.process("in.jpg") {
                    $0.maximumBytes = ByteCount(ceiling)
                }.manifest
                let expanded = try #require(manifest.rendition(.expanded))
                #expect(expanded.bytes.bytes <= ceiling)
                #expect((expanded.size.width == 1000) == keepsSize, "\(expanded.size)")
                #expect(manifest.notes.contains { $0.contains("for the byte ceiling") })
                #expect(manifest.renditions.allSatisfy { $0.bytes.bytes <= ceiling })
            }
        }
    }

    @Test("A PNG over the ceiling is quantised to a palette before it is reduced")
    func paletteForCeiling() async throws {
        try await ProcessorFixture.with { fixture in
            let size = PixelSize(width: 300, height: 300)
            try noise(size, bands: 4).write(to: fixture.url("in.png"), with: "pngsave_target")
            let manifest = try await fixture.process("in.png") {
                $0.maximumBytes = ByteCount(150_000)
            }.manifest
            let expanded = try #require(manifest.rendition(.expanded))
            let header = try Probe().picture(
                at: fixture.container.root.path + "/renditions/" + expanded.file)
            #expect(header.colourModel == .palette)
            #expect(header.hasAlpha)
            #expect(expanded.size == size)
        }
    }

    @Test("If nothing fits, the error states the smallest length, and nothing is published")
    func nothingFits() async throws {
        try await ProcessorFixture.with { fixture in
            try noise(PixelSize(width: 600, height: 400), bands: 3)
                .write(to: fixture.url("in.jpg"), with: "jpegsave_target")
            let error = try await fixture.refuse("in.jpg") { $0.maximumBytes = ByteCount(500) }
            #expect(error?.code == .doesNotFit)
            #expect(error?.description.contains("500 B") == true)
            #expect(try fixture.container.manifest(for: "id") == nil)
            #expect(try fixture.incoming.isEmpty)
        }
    }

    @Test("Ceilings on pixels and source bytes are checked before decoding")
    func ceilings() async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 200, height: 100))
                .write(to: fixture.url("in.jpg"), with: "jpegsave_target")
            let pixels = try await fixture.refuse("in.jpg") { $0.maximumPixels = 19_999 }
            #expect(pixels?.code == .dimensions)
            let bytes = try await fixture.refuse("in.jpg") {
                $0.maximumSourceBytes = ByteCount(100)
            }
            #expect(bytes?.code == .tooLarge)
        }
    }

    @Test("A tiny file that claims a huge picture is refused before decoding")
    func sparse() async throws {
        try await ProcessorFixture.with { fixture in
            // 81 megapixels in 39 bytes, with only one pixel.
            let side: [UInt8] = [0x28, 0x23]
            try Data(
                Array("GIF89a".utf8) + side + side + [0x80, 0, 0]
                    + [0, 0, 0, 255, 255, 255]
                    + [0x2C, 0, 0, 0, 0] + side + side + [0] + [2, 2, 0x44, 1, 0] + [0x3B]
            ).write(to: fixture.url("in.gif"))
            let error = try await fixture.refuse("in.gif")
            #expect(error?.code == .sparse)
            #expect(error?.description.contains("limit on pixels per byte") == true)
            // With a higher limit it is decoded, and found to be truncated.
            let decoded = try await fixture.refuse("in.gif") {
                $0.maximumPixelsPerByte = 10_000_000
            }
            #expect(decoded?.code == .truncated)
        }
    }

    @Test("A truncated JPEG is an error by default, and decodes partially in tolerant mode")
    func truncatedJPEG() async throws {
        try await ProcessorFixture.with { fixture in
            // One picture that is re-encoded, and one that would be kept as it is.
            for width in [1600, 320] {
                try VipsFixture.gradient(PixelSize(width: width, height: 400)).write(
                    to: fixture.url("whole.jpg"), with: "jpegsave_target",
                    ["strip": .bool(true)])
                let whole = try Data(contentsOf: fixture.url("whole.jpg"))
                try whole.prefix(whole.count * 6 / 10).write(to: fixture.url("in.jpg"))
                let error = try await fixture.refuse("in.jpg")
                #expect(error?.code == .truncated, "\(width)")
                #expect(error?.description.contains("allow truncated files") == true)
                let manifest = try await fixture.process("in.jpg") {
                    $0.toleratesTruncation = true
                }.manifest
                let picture = try fixture.picture(.expanded, of: manifest)
                #expect(try picture.pixel(10, 10)[0] < 20)
                #expect(try fixture.incoming.isEmpty)
            }
        }
    }

    @Test("Damage inside a JPEG scan is an error; stray bytes between segments are not")
    func damagedJPEG() async throws {
        try await ProcessorFixture.with { fixture in
            try noise(PixelSize(width: 400, height: 300), bands: 3)
                .write(to: fixture.url("whole.jpg"), with: "jpegsave_target")
            let whole = try Data(contentsOf: fixture.url("whole.jpg"))
            var damaged = whole
            let middle = whole.count / 2
            damaged.replaceSubrange(middle..<middle + 40, with: Data(repeating: 0x55, count: 40))
            damaged.replaceSubrange(middle + 60..<middle + 62, with: [0xFF, 0xD3])
            try damaged.write(to: fixture.url("in.jpg"))
            // Messages of a tolerated truncation must not appear in this file's error.
            try whole.prefix(whole.count / 2).write(to: fixture.url("half.jpg"))
            _ = try await fixture.process("half.jpg") { $0.toleratesTruncation = true }
            // Damage loses blocks, as a cut does.
            #expect(try await fixture.refuse("in.jpg")?.code == .truncated)

            let stray = whole.dropLast(2) + Data([0, 0, 0]) + whole.suffix(2)
            try stray.write(to: fixture.url("stray.jpg"))
            let done = try await fixture.process("stray.jpg")
            #expect(done.work == .made)
        }
    }

    @Test("Other files than pictures are refused by their bytes, with a code and a remedy")
    func notPictures() async throws {
        try await ProcessorFixture.with { fixture in
            let files: [(String, Data, AttachmentError.Code)] = [
                ("empty.jpg", Data(), .empty),
                ("text.jpg", Data("This is not a picture at all.".utf8), .unsupported),
                ("page.png", Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), .unsupported),
                ("short.png", Data([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]), .truncated),
            ]
            for (name, bytes, code) in files {
                try bytes.write(to: fixture.url(name))
                let error = try await fixture.refuse(name)
                #expect(error?.code == code, "\(name)")
                #expect(error?.description.contains(name) == true)
            }
            #expect(try await fixture.refuse("missing.jpg")?.code == .unreadable)
            #expect(try await fixture.refuse(".")?.code == .unreadable)
        }
    }

    @Test("A picture with a misleading name is read according to its bytes")
    func mislabelled() async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 40, height: 40))
                .write(to: fixture.url("photo.jpg"), with: "webpsave_target")
            let manifest = try await fixture.process("photo.jpg").manifest
            #expect(manifest.source.format == "webp")
        }
    }

    @Test("Cancellation ends the work and leaves nothing behind")
    func cancellation() async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 300, height: 300))
                .write(to: fixture.url("in.png"), with: "pngsave_target")
            var processor = try AttachmentProcessor(
                settings: ProcessorFixture.settings, container: fixture.container,
                fallback: .libvips)
            let (begun, cancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            processor.willDecode = { _, _ in
                begun.signal()
                cancelled.wait()
            }
            let path = fixture.url("in.png").path
            let task = Task { [processor] in try await processor.process(path, identifier: "id") }
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    begun.wait()
                    continuation.resume()
                }
            }
            task.cancel()
            cancelled.signal()
            let error = await #expect(throws: AttachmentError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(try fixture.container.manifest(for: "id") == nil)
            #expect(try fixture.incoming.isEmpty)
        }
    }
}
