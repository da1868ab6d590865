import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import SampleMedia
import Testing

@Suite("JPEGs that keep their size", .timeLimit(.minutes(2)))
struct KeptSizeTests {
    private static let size = PixelSize(width: 302, height: 403)

    /// Metadata between the start and the next segment, and a second picture after the end.
    private static let metadata: [(marker: UInt8, bytes: [UInt8])] = [
        (0xE1, Array("Exif\0\0II*\0 with a place, and ".utf8)),
        (0xE1, Array("http://ns.adobe.com/xap/1.0/\0<secret/>".utf8)),
        (0xE2, Array("MPF\0 where the other pictures are".utf8)),
        (0xED, Array("Photoshop 3.0\0 with a name".utf8)),
        (0xFE, Array("a comment".utf8)),
    ]

    private func write(
        _ fixture: ProcessorFixture, quality: Int, orientation: UInt8? = nil,
        _ arguments: [String: VipsArgument] = [:]
    ) throws -> Data {
        var all = arguments
        all["Q"] = .int(quality)
        all["strip"] = .bool(true)
        try VipsFixture.waves(Self.size)
            .write(to: fixture.url("plain.jpg"), with: "jpegsave_target", all)
        let plain = try Data(contentsOf: fixture.url("plain.jpg"))
        return orientation.map { plain.withOrientation($0) } ?? plain
    }

    private func expanded(_ fixture: ProcessorFixture, _ manifest: Manifest) throws -> Data {
        try Data(
            contentsOf: fixture.container.url(of: try #require(manifest.rendition(.expanded))))
    }

    @Test("Metadata and everything after the picture go, and nothing else changes")
    func stripping() async throws {
        try await ProcessorFixture.with { fixture in
            let plain = try write(fixture, quality: 60)
            var file = plain.prefix(2)
            for (marker, bytes) in Self.metadata {
                let length = bytes.count + 2
                file += [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + bytes
            }
            file += plain.dropFirst(2)
            file += plain
            try file.write(to: fixture.url("in.jpg"))
            let manifest = try await fixture.process("in.jpg").manifest
            #expect(manifest.notes == ["kept without its metadata"])
            #expect(try expanded(fixture, manifest) == plain)
            #expect(manifest.rendition(.expanded)?.size == Self.size)
        }
    }

    @Test("A thumbnail in JFIF, and damage, are encoded again instead")
    func unsuitable() async throws {
        try await ProcessorFixture.with { fixture in
            let plain = try write(fixture, quality: 60)
            // JFIF 1.02 with a thumbnail of one pixel (T.871, 10.1).
            let jfif: [UInt8] = [
                0xFF, 0xE0, 0, 19, 0x4A, 0x46, 0x49, 0x46, 0, 1, 2, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9,
            ]
            let bare =
                plain[2] == 0xFF && plain[3] == 0xE0 ? plain.dropFirst(20) : plain.dropFirst(2)
            try (plain.prefix(2) + jfif + bare).write(to: fixture.url("in.jpg"))
            let manifest = try await fixture.process("in.jpg").manifest
            #expect(!manifest.notes.contains("kept without its metadata"))
            #expect(manifest.engine == "rows")
            let result = try expanded(fixture, manifest)
            #expect(result.firstRange(of: Data(jfif.suffix(3))) == nil)

            let comment: [UInt8] = [0xFF, 0xFE, 0, 3, 0x20]
            try (plain.prefix(2) + comment + plain[2..<plain.count / 2])
                .write(to: fixture.url("cut.jpg"))
            #expect(try await fixture.refuse("cut.jpg")?.code == .truncated)
        }
    }

    @Test(
        "The quality is at most the source's, and the requested one at most",
        arguments: [30, 60, 75, 95])
    func quality(source: Int) async throws {
        try await ProcessorFixture.with { fixture in
            // Turned, because an upright picture is not encoded again.
            try write(fixture, quality: source, orientation: 6).write(to: fixture.url("in.jpg"))
            let header = try Probe().picture(at: fixture.url("in.jpg").path)
            #expect(abs((header.coding.quality ?? 0) - source) <= 1)
            for engine in [ProcessingSettings.EngineChoice.automatic, .libvips] {
                let manifest = try await fixture.process("in.jpg") { $0.engine = engine }.manifest
                let rendition = try #require(manifest.rendition(.expanded))
                let made = try Probe().picture(at: fixture.container.url(of: rendition).path)
                #expect(made.coding.quality == min(80, header.coding.quality ?? 0))
                // The same quality takes about as many bytes; 80 would take half as many more.
                if source <= 80 {
                    #expect(
                        Double(rendition.bytes.bytes) < 1.05 * Double(header.fileBytes.bytes))
                }
            }
        }
    }

    @Test("Reduced to half and less, a picture has the requested quality")
    func reduced() async throws {
        try await ProcessorFixture.with { fixture in
            try write(fixture, quality: 40, orientation: 6).write(to: fixture.url("in.jpg"))
            for (width, expected) in [(300.0, 40), (201.0, 80)] {
                let manifest = try await fixture.process("in.jpg") {
                    ($0.width, $0.scale, $0.cropRatio) = (width, 1, nil)
                    $0.bannerSide = 50
                }.manifest
                let rendition = try #require(manifest.rendition(.expanded))
                let made = try Probe().picture(at: fixture.container.url(of: rendition).path)
                #expect(made.coding.quality == expected)
            }
        }
    }
}
