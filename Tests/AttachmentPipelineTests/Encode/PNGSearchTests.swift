import AttachmentContainer
import AttachmentModel
import Foundation
import Randomness
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Repetitions in PNGs", .timeLimit(.minutes(2)))
struct PNGSearchTests {
    private static let size = PixelSize(width: 600, height: 400)

    @Test("Rows that repeat take no more bytes than a search for every repetition gives")
    func text() async throws {
        try await ProcessorFixture.with { fixture in
            try Self.picture { x, y, band in
                let glyph = UInt32(x % 40 / 2 &* 31 &+ y % 14 / 2 &* 17) &* 2_654_435_761
                let isInk = glyph >> 30 == 0
                let paper = [200 + x / 60, 190 + y / 10, 220, 255 - y / 100]
                return isInk && band < 3 ? Int(glyph >> 20 & 0x7F) : paper[band]
            }.write(to: fixture.url("in.tif"), with: "tiffsave_target")
            let done = try await fixture.process("in.tif")
            let length = try fixture.bytes(.expanded, of: done.manifest).count
            try fixture.picture(.expanded, of: done.manifest).write(
                to: fixture.url("dense.png"), with: "pngsave_target", ["filter": .name("all")])
            let dense = try Data(contentsOf: fixture.url("dense.png")).count
            #expect(length <= dense * 105 / 100, "\(length) and \(dense)")
        }
    }

    @Test("A ceiling just below the first length makes the PNG denser and keeps every colour")
    func ceiling() async throws {
        try await ProcessorFixture.with { fixture in
            try Self.photograph().write(to: fixture.url("in.tif"), with: "tiffsave_target")
            let free = try await fixture.process("in.tif", identifier: "free")
            let length = try fixture.bytes(.expanded, of: free.manifest).count
            let bound = try await fixture.process("in.tif", identifier: "bound") {
                $0.maximumBytes = ByteCount(length - 1)
            }
            #expect(try fixture.bytes(.expanded, of: bound.manifest).count < length)
            #expect(bound.manifest.notes.isEmpty)
            #expect(
                try fixture.picture(.expanded, of: bound.manifest).samples()
                    == fixture.picture(.expanded, of: free.manifest).samples())
        }
    }

    @Test(
        "Filters keep every sample, whatever the bytes of a row",
        arguments: [11, 16, 17, 33, 250], [1, 3, 4])
    func exactness(width: Int, bands: Int) async throws {
        try await ProcessorFixture.with { fixture in
            let picture = try Self.photograph(PixelSize(width: width, height: 90), bands: bands)
            try picture.write(to: fixture.url("in.tif"), with: "tiffsave_target")
            let done = try await fixture.process("in.tif") {
                $0.stillType = .png
            }
            #expect(
                try fixture.picture(.expanded, of: done.manifest).samples() == picture.samples())
        }
    }

    /// Waves with the noise of a sensor above smooth ones; with alpha, a transparent edge.
    private static func photograph(
        _ size: PixelSize = size, bands: Int = 4
    ) throws -> VipsImage {
        var random = SplitMix64(seed: 7)
        return try picture(size, bands: bands) { x, y, band in
            if bands == 4, x < 3 || band == 3 { return x < 3 ? 0 : 255 }
            let wave = 128 + 60 * sin(Double(x + 40 * band) / 23) * cos(Double(y) / 31)
            let noise = y < size.height / 2 ? Int(random.next() % 13) - 6 : x % 7 / 3
            return Int(wave) + noise
        }
    }

    private static func picture(
        _ size: PixelSize = size, bands: Int = 4, _ sample: (Int, Int, Int) -> Int
    ) throws -> VipsImage {
        var samples: [UInt8] = []
        samples.reserveCapacity(bands * size.pixelCount)
        for y in 0..<size.height {
            for x in 0..<size.width {
                for band in 0..<bands { samples.append(UInt8(clamping: sample(x, y, band))) }
            }
        }
        return try VipsImage.from(samples: samples, size: size, bands: bands)
            .applying("copy", ["interpretation": .name(bands == 1 ? "b-w" : "srgb")])
    }
}
