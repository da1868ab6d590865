import AttachmentContainer
import AttachmentModel
import AttachmentPlanning
import Foundation
import Randomness
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Predicted lengths of PNGs", .timeLimit(.minutes(3)))
struct PNGForecastTests {
    private static let size = PixelSize(width: 500, height: 320)

    enum Content: String, CaseIterable, Sendable { case photo, cutout, shadow, glyphs, halfEmpty }

    @Test(
        "No PNG that would fit is given up, and one of five times the bytes is",
        arguments: Content.allCases, [1, 2, 3, 4])
    func margins(content: Content, bands: Int) throws {
        let picture = try Self.held(content, bands: bands)
        let forecast = try #require(try PNGSample(of: picture).forecast(isRefined: false))
        for isDense in [false, true] {
            let attempt = EncodingLadder.Attempt(
                encoding: .png, size: picture.size, isDense: isDense)
            let isSearched = isDense || forecast.favoursDense
            let length = try Self.length(of: picture, isDense: isSearched)
            #expect(!forecast.exceeds(ByteCount(length), with: attempt), "\(forecast) \(length)")
            #expect(forecast.exceeds(ByteCount(length / 5), with: attempt), "\(forecast) \(length)")
        }
    }

    @Test(
        "A refined forecast gives up no dense PNG that would fit, and one a sixth too long",
        arguments: [Content.photo, .cutout, .halfEmpty])
    func refinement(content: Content) throws {
        let size = PixelSize(width: 1000, height: 400)
        let picture = try Self.held(content, size, bands: 4)
        let forecast = try #require(try PNGSample(of: picture).forecast(isRefined: true))
        let attempt = EncodingLadder.Attempt(encoding: .png, size: size, isDense: true)
        let length = try Self.length(of: picture, isDense: true)
        #expect(!forecast.exceeds(ByteCount(length), with: attempt), "\(forecast) \(length)")
        #expect(forecast.exceeds(ByteCount(6 * length / 7), with: attempt), "\(forecast) \(length)")
    }

    @Test(
        "Runs are predicted without compression", arguments: [Content.photo, .shadow], [1, 3, 4])
    func runs(content: Content, bands: Int) throws {
        let picture = try Self.held(content, bands: bands)
        let forecast = try #require(try PNGSample(of: picture).forecast(isRefined: false))
        let length = try Self.length(of: picture, isDense: false)
        #expect(abs(forecast.runs - length) < length / 5, "\(forecast) \(length)")
    }

    @Test("A picture of a few rows has no forecast")
    func few() throws {
        let view = try Self.held(.photo, PixelSize(width: 500, height: 128), bands: 4)
        #expect(try PNGSample(of: view).forecast(isRefined: false) == nil)
    }

    enum Source: String, CaseIterable, Sendable { case tiff, losslessWebP, coarseWebP }

    /// Below and above the length of the shorter PNG.
    @Test(
        "Colours are kept if a PNG fits the ceiling and the source's allowance, and only then",
        arguments: Source.allCases, [0.4, 0.9, 0.999, 1, 1.02, 1.3])
    func colours(source: Source, share: Double) async throws {
        try await ProcessorFixture.with { fixture in
            let picture = try Self.image(.cutout)
            switch source {
            case .tiff: try picture.write(to: fixture.url("in"), with: "tiffsave_target")
            case .losslessWebP:
                try picture.write(
                    to: fixture.url("in"), with: "webpsave_target", ["lossless": .bool(true)])
            case .coarseWebP:
                try picture.write(to: fixture.url("in"), with: "webpsave_target", ["Q": .int(50)])
            }
            let free = try await fixture.process("in", identifier: "free") { $0.stillType = .png }
            let samples = try fixture.picture(.expanded, of: free.manifest).samples()
            let view = try Self.held(samples, Self.size, bands: 4)
            let dense = try Self.length(of: view, isDense: true)
            // Of noise, a search may find repetitions that are no use.
            let shortest = min(dense, try Self.length(of: view, isDense: false))
            let ceiling = Int(share * Double(shortest))
            let done = try await fixture.process("in") { $0.maximumBytes = ByteCount(ceiling) }
            let allowance = 2 * (try Data(contentsOf: fixture.url("in")).count)
            let limit = min(ceiling, allowance)
            let shown = try fixture.picture(.expanded, of: done.manifest)
            #expect((try shown.samples() == samples) == (shortest <= limit), "\(shortest) \(limit)")
            #expect(try fixture.bytes(.expanded, of: done.manifest).count <= limit)
            #expect(done.manifest.notes.isEmpty == (shortest <= limit))
        }
    }

    @Test("A forecast is believed within its margins", arguments: [false, true])
    func arithmetic(isDense: Bool) {
        let attempt = EncodingLadder.Attempt(
            encoding: .png, size: Self.size, isDense: isDense)
        let photo = PNGForecast(runs: 1000, dense: 980, samples: 4000)
        #expect(!photo.favoursDense)
        #expect(photo.exceeds(ByteCount(isDense ? 810 : 900), with: attempt))
        #expect(!photo.exceeds(ByteCount(isDense ? 820 : 915), with: attempt))
        // A refined ratio just below the threshold does not widen the margin again.
        let refined = PNGForecast(runs: 1000, dense: 870, samples: 1000, isRefined: true)
        #expect(refined.exceeds(ByteCount(820), with: attempt))
        let tiny = PNGForecast(runs: 1000, dense: 980, samples: 10_000, isRefined: true)
        #expect(tiny.exceeds(ByteCount(isDense ? 885 : 900), with: attempt))
        #expect(!tiny.exceeds(ByteCount(isDense ? 895 : 915), with: attempt))
        // Little can be wrong about noise.
        let noise = PNGForecast(runs: 1000, dense: 980, samples: 3000)
        #expect(noise.exceeds(ByteCount(890), with: attempt))
        #expect(!noise.exceeds(ByteCount(915), with: attempt))
        let text = PNGForecast(runs: 3000, dense: 1000, samples: 9000)
        #expect(text.favoursDense)
        #expect(text.exceeds(ByteCount(240), with: attempt))
        #expect(!text.exceeds(ByteCount(260), with: attempt))
    }

    /// Bytes of the PNG as a file.
    private static func length(of view: PictureView, isDense: Bool) throws -> Int {
        try TemporaryFolder.withFile("picture.png") {
            try encodePNG(view, isDense: isDense, to: .file($0))
        } read: {
            try Data(contentsOf: $0).count
        }
    }

    private static func held(
        _ content: Content, _ size: PixelSize = size, bands: Int
    ) throws -> PictureView {
        try held(samples(content, size, bands: bands), size, bands: bands)
    }

    private static func held(
        _ samples: [UInt8], _ size: PixelSize, bands: Int
    ) throws -> PictureView {
        let colours: [HeldPicture.Colours] = [.grey, .greyAlpha, .rgb, .rgba]
        let picture = try HeldPicture(
            size, colours[bands - 1], .upright, notes: [], scratch: nil)
        samples.withUnsafeBufferPointer { samples in
            let row = size.width * bands
            for y in 0..<size.height {
                picture.planes[0].write(
                    UnsafeBufferPointer(rebasing: samples[y * row..<(y + 1) * row]), at: y)
            }
        }
        return PictureView(picture)
    }

    private static func image(_ content: Content) throws -> VipsImage {
        try VipsImage.from(samples: samples(content, size, bands: 4), size: size, bands: 4)
            .applying("copy", ["interpretation": .name("srgb")])
    }

    private static func samples(_ content: Content, _ size: PixelSize, bands: Int) -> [UInt8] {
        var random = SplitMix64(seed: 11)
        var samples: [UInt8] = []
        samples.reserveCapacity(size.pixelCount * bands)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let alpha = alpha(content, x, y, size)
                for band in 0..<bands {
                    let isAlpha = bands % 2 == 0 && band == bands - 1
                    let colour = colour(content, x, y, band, &random)
                    samples.append(UInt8(clamping: isAlpha ? alpha : alpha == 0 ? 0 : colour))
                }
            }
        }
        return samples
    }

    private static func colour(
        _ content: Content, _ x: Int, _ y: Int, _ band: Int, _ random: inout SplitMix64
    ) -> Int {
        let wave = 128 + 60 * sin(Double(x + 40 * band) / 23) * cos(Double(y) / 31)
        switch content {
        case .photo, .cutout: return Int(wave) + Int(random.next() % 13) - 6
        case .shadow: return Int(wave)
        case .glyphs:
            let glyph = UInt32(x % 40 / 2 &* 31 &+ y % 14 / 2 &* 17) &* 2_654_435_761
            return glyph >> 30 == 0 ? Int(glyph >> 20 & 0x7F) : 200 + x / 60
        case .halfEmpty: return y < 160 ? 240 : Int(wave) + Int(random.next() % 13) - 6
        }
    }

    private static func alpha(_ content: Content, _ x: Int, _ y: Int, _ size: PixelSize) -> Int {
        guard content != .photo else { return x < 3 ? 0 : 255 }
        let (across, down) = (
            2 * Double(x) / Double(size.width) - 1, 2 * Double(y) / Double(size.height) - 1
        )
        return Int(255 * min(1, max(0, 4 * (1 - across * across - down * down))))
    }
}
