import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import SampleMedia
import Testing

@Suite("JPEGs that only have to be turned", .timeLimit(.minutes(3)))
struct TurningTests {
    private static let note = "turned without loss"

    /// Writes a picture with an orientation, a comment and a second picture after its end.
    private func write(
        _ fixture: ProcessorFixture, _ size: PixelSize, orientation: Orientation,
        name: String = "in.jpg", _ arguments: [String: VipsArgument] = [:]
    ) throws {
        var all = arguments
        if all["Q"] == nil { all["Q"] = .int(60) }
        try VipsFixture.waves(size)
            .write(to: fixture.url("plain.jpg"), with: "jpegsave_target", all)
        let plain = try Data(contentsOf: fixture.url("plain.jpg"))
        let comment = Data([0xFF, 0xFE, 0, 8] + Array("secret".utf8))
        let turned = plain.withOrientation(UInt8(orientation.rawValue))
        try (turned.prefix(2) + comment + turned.dropFirst(2) + plain)
            .write(to: fixture.url(name))
    }

    @Test(
        "Every orientation keeps all pixels and no metadata, and the banner agrees",
        arguments: Orientation.allCases.filter { $0 != .upright })
    func orientations(orientation: Orientation) async throws {
        try await ProcessorFixture.with { fixture in
            for (number, arguments) in [
                [:], ["subsample_mode": VipsArgument.name("off")],
                ["interlace": .bool(true)],
            ].enumerated() {
                try write(
                    fixture, PixelSize(width: 480, height: 320), orientation: orientation,
                    arguments)
                let done = try await fixture.process("in.jpg", identifier: "\(number)")
                let manifest = done.manifest
                #expect(manifest.notes == [Self.note])
                #expect(done.memory.measuredPeak <= done.memory.predictedPeak ?? ByteCount(0))
                let bytes = try fixture.bytes(.expanded, of: manifest)
                let source = try Data(contentsOf: fixture.url("in.jpg"))
                #expect(bytes.count * 20 <= source.count * 21)
                for text in ["Exif", "secret"] {
                    #expect(bytes.firstRange(of: Data(text.utf8)) == nil)
                }
                // The same, encoded, because libvips turns by decoding.
                let other = try await fixture.process("in.jpg", identifier: "v\(number)") {
                    $0.engine = .libvips
                }.manifest
                #expect(!other.notes.contains(Self.note))
                for role in [RenditionRole.expanded, .banner] {
                    let difference = try fixture.picture(role, of: manifest)
                        .largestDifference(from: fixture.picture(role, of: other))
                    #expect(difference <= 48, "\(role) \(number)")
                }
            }
        }
    }

    @Test("Blocks that are not whole at a mirrored edge are encoded, and those of others turned")
    func partialBlocks() async throws {
        try await ProcessorFixture.with { fixture in
            for (width, height, orientation, isTurned) in [
                (484, 320, Orientation.mirrored, false), (484, 320, .rotated90, true),
                (480, 312, .rotated90, false), (480, 312, .rotated270, true),
                (484, 316, .transposed, true), (484, 316, .rotated180, false),
            ] {
                try write(
                    fixture, PixelSize(width: width, height: height), orientation: orientation)
                let manifest = try await fixture.process("in.jpg").manifest
                #expect(manifest.notes == (isTurned ? [Self.note] : []))
                #expect(manifest.engine == "rows")
                #expect(
                    manifest.rendition(.expanded)?.size
                        == orientation.upright(PixelSize(width: width, height: height)))
            }
        }
    }

    @Test("Damage is an error in strict mode, and encoded again in tolerant mode")
    func damage() async throws {
        try await ProcessorFixture.with { fixture in
            try write(fixture, PixelSize(width: 480, height: 320), orientation: .rotated90)
            let whole = try Data(contentsOf: fixture.url("plain.jpg")).withOrientation(6)
            try whole.prefix(whole.count / 2).write(to: fixture.url("cut.jpg"))
            #expect(try await fixture.refuse("cut.jpg")?.code == .truncated)
            var changed = whole
            for place in stride(from: whole.count / 2, to: whole.count - 2, by: 97) {
                changed[place] = 0x55
            }
            try changed.write(to: fixture.url("changed.jpg"))
            #expect(try await fixture.refuse("changed.jpg")?.code == .truncated)
            for name in ["cut.jpg", "changed.jpg"] {
                let manifest = try await fixture.process(name) {
                    $0.toleratesTruncation = true
                }.manifest
                #expect(!manifest.notes.contains(Self.note))
                #expect(manifest.rendition(.expanded)?.size == PixelSize(width: 320, height: 480))
            }
        }
    }

    @Test("A turned file over the byte ceiling is encoded again, under it")
    func ceiling() async throws {
        try await ProcessorFixture.with { fixture in
            try write(fixture, PixelSize(width: 480, height: 320), orientation: .rotated270)
            let turned = try await fixture.process("in.jpg").manifest
            let length = try #require(turned.rendition(.expanded)?.bytes.bytes)
            let file = try Data(contentsOf: fixture.url("in.jpg")).count
            for ceiling in [file - 1, length - 1] {
                let manifest = try await fixture.process("in.jpg") {
                    $0.maximumBytes = ByteCount(ceiling)
                }.manifest
                #expect(!manifest.notes.contains(Self.note))
                #expect(manifest.rendition(.expanded)?.bytes.bytes ?? .max <= ceiling)
            }
        }
    }

    @Test("A turned file much longer than its progressive source is encoded again")
    func longer() async throws {
        try await ProcessorFixture.with { fixture in
            // At the highest quality, baseline files take 7 % more than progressive ones.
            try VipsFixture.waves(PixelSize(width: 640, height: 480))
                .write(
                    to: fixture.url("plain.jpg"), with: "jpegsave_target",
                    ["interlace": .bool(true), "Q": .int(100)])
            try Data(contentsOf: fixture.url("plain.jpg")).withOrientation(3)
                .write(to: fixture.url("in.jpg"))
            let manifest = try await fixture.process("in.jpg").manifest
            #expect(!manifest.notes.contains(Self.note))
            #expect(manifest.rendition(.expanded)?.size == PixelSize(width: 640, height: 480))
        }
    }

    @Test("Cropped, reduced and profiled pictures are not only turned")
    func others() async throws {
        try await ProcessorFixture.with { fixture in
            try write(fixture, PixelSize(width: 480, height: 320), orientation: .rotated90)
            let cropped = try await fixture.process("in.jpg") { $0.cropRatio = 1 }.manifest
            #expect(cropped.rendition(.expanded)?.crop != nil)
            #expect(!cropped.notes.contains(Self.note))
            let reduced = try await fixture.process("in.jpg") {
                ($0.width, $0.scale, $0.bannerSide) = (300, 1, 50)
            }.manifest
            #expect(reduced.rendition(.expanded)?.size.width == 300)
            #expect(!reduced.notes.contains(Self.note))
            try write(
                fixture, PixelSize(width: 480, height: 320), orientation: .rotated90,
                ["profile": .name("p3")])
            let converted = try await fixture.process("in.jpg").manifest
            #expect(!converted.notes.contains(Self.note))
        }
    }

    @Test("Without scratch files the coefficients count, and a lower cap is encoded instead")
    func memory() async throws {
        try await ProcessorFixture.with { fixture in
            try write(fixture, PixelSize(width: 1280, height: 960), orientation: .rotated90)
            let roomy = try await fixture.process("in.jpg") {
                $0.maximumScratchBytes = ByteCount(0)
            }
            #expect(roomy.manifest.notes == [Self.note])
            let predicted = try #require(roomy.memory.predictedPeak)
            #expect(roomy.memory.measuredPeak <= predicted)
        }
    }
}
