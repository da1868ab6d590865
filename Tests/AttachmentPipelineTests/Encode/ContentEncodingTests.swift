import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline
@testable import AttachmentPlanning
@testable import AttachmentVips

@Suite("Encodings by content", .timeLimit(.minutes(2)))
struct ContentEncodingTests {
    private static let size = PixelSize(width: 240, height: 160)

    @Test("A PNG that fits is stripped in place: its pixels stay, and its metadata go")
    func strippedPNG() async throws {
        try await ProcessorFixture.with { fixture in
            let plain = try Self.write(colours: 9, to: fixture.url("plain.png"), as: "png")
            let text = Data.pngChunk("tEXt", "Comment\0private".utf8)
            let tagged = plain.prefix(33) + text + plain.dropFirst(33) + Data("behind".utf8)
            try tagged.write(to: fixture.url("in.png"))
            let done = try await fixture.process("in.png")
            let bytes = try fixture.bytes(.expanded, of: done.manifest)
            // Resolution is dropped too.
            #expect(bytes.count <= plain.count && bytes.range(of: Data("private".utf8)) == nil)
            #expect(bytes.suffix(8) == plain.suffix(8))
            #expect(
                try fixture.picture(.expanded, of: done.manifest).samples()
                    == VipsFixture.open(fixture.url("plain.png"), with: .png).samples())
            #expect(done.manifest.notes == ["kept without its metadata"])
            #expect(done.manifest.rendition(.expanded)?.type == "public.png")
        }
    }

    @Test("A damaged chunk is not copied: the picture is encoded again")
    func damagedPNG() async throws {
        try await ProcessorFixture.with { fixture in
            let plain = try Self.write(colours: 9, to: fixture.url("plain.png"), as: "png")
            var text = Data.pngChunk("tEXt", "Comment\0private".utf8)
            text[text.count - 1] ^= 1
            try (plain.prefix(33) + text + plain.dropFirst(33)).write(to: fixture.url("in.png"))
            let done = try await fixture.process("in.png")
            let bytes = try fixture.bytes(.expanded, of: done.manifest)
            #expect(bytes.range(of: Data("private".utf8)) == nil)
        }
    }

    @Test(
        "Few colours keep every pixel, in no more bytes than the source allows",
        arguments: [2, 4, 16, 200], ["gif", "tiff", "webp"])
    func fewColours(count: Int, format: String) async throws {
        try await ProcessorFixture.with { fixture in
            let source = try Self.write(
                colours: count, to: fixture.url("in.\(format)"), as: format)
            let done = try await fixture.process("in.\(format)")
            #expect(
                done.manifest.rendition(.expanded)?.type
                    == (format == "gif" ? RenditionType.gif : .png).rawValue)
            let shown = try fixture.picture(.expanded, of: done.manifest)
            let picture = try Self.picture(colours: count)
            for (x, y) in [(0, 0), (17, 3), (120, 80), (239, 159)] {
                #expect(try shown.pixel(x, y).prefix(3) == picture.pixel(x, y).prefix(3))
            }
            let bytes = try fixture.bytes(.expanded, of: done.manifest).count
            #expect(bytes <= max(700, source.count * (format == "gif" ? 1 : 2)))
        }
    }

    @Test("A photograph stays a JPEG, whatever its source", arguments: ["png", "tiff", "webp"])
    func photograph(format: String) async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.waves(PixelSize(width: 640, height: 480))
                .write(to: fixture.url("in.\(format)"), with: "\(format)save_target")
            let done = try await fixture.process("in.\(format)") { ($0.width, $0.scale) = (100, 1) }
            #expect(done.manifest.rendition(.expanded)?.type == "public.jpeg")
        }
    }

    @Test("Alpha of a lossy source does not grow many times")
    func lossyAlpha() async throws {
        try await ProcessorFixture.with { fixture in
            let colours = try VipsFixture.waves(PixelSize(width: 700, height: 500))
            let alpha = try VipsFixture.waves(PixelSize(width: 700, height: 500))
                .applying("extract_band", ["band": .int(0)])
            try colours.joined(with: alpha).write(
                to: fixture.url("in.webp"), with: "webpsave_target", ["Q": .int(60)])
            let source = try Data(contentsOf: fixture.url("in.webp"))
            for width in [700.0, 300] {
                let done = try await fixture.process("in.webp") {
                    ($0.width, $0.scale) = (width, 1)
                }
                #expect(try fixture.bytes(.expanded, of: done.manifest).count <= 2 * source.count)
            }
        }
    }

    @Test("Few colours, then qualities, then sizes are the attempts of an opaque picture")
    func ladder() {
        let attempts = EncodingLadder(
            size: Self.size, isOpaque: true, quality: 80, floor: 150, content: .fewColours,
            isFine: true
        ).attempts
        #expect(
            attempts.map(\.encoding).prefix(5) == [
                .palettePNG, .jpeg(quality: 80), .jpeg(quality: 80), .jpeg(quality: 77),
                .jpeg(quality: 74),
            ])
        #expect(attempts.prefix(4).map(\.hasOptimalTables) == [false, false, true, true])
        #expect(attempts.last?.size != Self.size)
    }

    /// Stripes and blocks of some colours, without noise.
    private static func picture(colours: Int) throws -> VipsImage {
        var y = 0
        return try VipsImage.rows(
            size: size, bands: 3, isDeep: false, colours: .rgb, profile: nil
        ) { row in
            for x in 0..<size.width {
                let index = (x / 8 + y / 16 * 7) % colours
                for band in 0..<3 {
                    row[3 * x + band] = UInt8(truncatingIfNeeded: index * [37, 91, 151][band] + 20)
                }
            }
            y += 1
        }.inMemory()
    }

    private static func write(colours: Int, to file: URL, as format: String) throws -> Data {
        let options: [String: VipsArgument] =
            switch format {
            case "gif": ["dither": .double(0)]
            case "png": ["palette": .bool(true), "dither": .double(0)]
            case "tiff": ["compression": .name("lzw")]
            default: ["lossless": .bool(true)]
            }
        try picture(colours: colours).write(to: file, with: "\(format)save_target", options)
        return try Data(contentsOf: file)
    }
}
