import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import Randomness
import SampleMedia
import Testing

/// Every pair of format, content, size, orientation, engine and byte ceiling; by default the first
/// cases, which have most pairs.
@Suite("Lengths of renditions at their source's size", .timeLimit(.minutes(3)))
struct RenditionLengthTests {
    enum Format: String, CaseIterable, Sendable {
        case jpeg, optimisedJPEG, progressiveJPEG, png, gif, webp, losslessWebP, tiff

        var saver: String {
            switch self {
            case .jpeg, .optimisedJPEG, .progressiveJPEG: "jpegsave_target"
            case .png: "pngsave_target"
            case .gif: "gifsave_target"
            case .webp, .losslessWebP: "webpsave_target"
            case .tiff: "tiffsave_target"
            }
        }

        var options: [String: VipsArgument] {
            switch self {
            case .jpeg: ["Q": .int(70)]
            case .optimisedJPEG: ["Q": .int(85), "optimize_coding": .bool(true)]
            case .progressiveJPEG:
                ["Q": .int(60), "interlace": .bool(true), "optimize_coding": .bool(true)]
            case .png, .gif: [:]
            case .webp: ["Q": .int(75)]
            case .losslessWebP: ["lossless": .bool(true)]
            case .tiff: ["compression": .name("deflate"), "predictor": .name("horizontal")]
            }
        }

        /// The system attaches JPEG, PNG and GIF.
        var isAttachable: Bool {
            switch self {
            case .jpeg, .optimisedJPEG, .progressiveJPEG, .png, .gif: true
            case .webp, .losslessWebP, .tiff: false
            }
        }
    }

    enum Content: String, CaseIterable, Sendable { case photo, screenshot, flat, grey, alpha }

    struct Case: CustomTestStringConvertible, Sendable {
        let format: Format
        let content: Content
        let size: PixelSize
        let orientation: Orientation
        let engine: ProcessingSettings.EngineChoice
        let ceiling: ByteCount

        var testDescription: String {
            "\(format) \(content) \(size) \(orientation) \(engine) \(ceiling)"
        }
    }

    static let cases: [Case] = {
        let sizes = [(300, 200), (133, 101), (32, 24)].map { PixelSize(width: $0, height: $1) }
        let ceilings = [10_000_000, 40_000].map { ByteCount($0) }
        let engines = ProcessingSettings.EngineChoice.allCases
        let counts = [
            Format.allCases.count, Content.allCases.count, sizes.count,
            Orientation.allCases.count, engines.count, ceilings.count,
        ]
        let rows = Pairwise(counts, seed: 37).rows
        return rows.prefix(Thoroughness.isFull ? rows.count : 24).map { row in
            Case(
                format: Format.allCases[row[0]], content: Content.allCases[row[1]],
                size: sizes[row[2]], orientation: Orientation.allCases[row[3]],
                engine: engines[row[4]], ceiling: ceilings[row[5]])
        }
    }()

    @Test("No rendition is longer than its source allows", arguments: cases)
    func length(_ example: Case) async throws {
        try await ProcessorFixture.with { fixture in
            try Self.picture(example.content, example.size)
                .marked(orientation: example.orientation)
                .write(to: fixture.url("in"), with: example.format.saver, example.format.options)
            let source = try Data(contentsOf: fixture.url("in")).count
            let done = try await fixture.process("in") {
                $0.engine = example.engine
                $0.maximumBytes = example.ceiling
            }
            let length = try fixture.bytes(.expanded, of: done.manifest).count
            let allowed = example.format.isAttachable ? source : 2 * source
            #expect(
                length <= max(allowed, Self.leastBytes),
                "\(source) → \(length) \(done.manifest.notes)")
            #expect(ByteCount(length) <= example.ceiling)
        }
    }

    /// Signature, header, palette, data and end of a small PNG, which no choice makes shorter.
    private static let leastBytes = 120

    private static func picture(_ content: Content, _ size: PixelSize) throws -> VipsImage {
        switch content {
        case .photo: try noisy(size)
        case .grey: try noisy(size).applying("extract_band", ["band": .int(1)])
        case .alpha:
            try noisy(size).joined(
                with: VipsFixture.waves(size).applying("extract_band", ["band": .int(0)]))
        case .flat: try drawn(size) { x, y in UInt32(x / 40 + y / 30 * 5) &* 2_654_435_761 }
        case .screenshot:
            // Lines of glyphs on panels of a gradient.
            try drawn(size) { x, y in
                let glyph = UInt32(x / 2 &* 31 &+ y / 3 &* 17) &* 2_654_435_761
                let isInk = y % 14 < 9 && x % 7 < 5 && glyph >> 30 == 0
                return isInk ? 0x20_30_90_00 : 0xF8_F8_F8_00 &- UInt32(y / 20) << 16
            }
        }
    }

    /// Waves with the noise of a sensor.
    private static func noisy(_ size: PixelSize) throws -> VipsImage {
        var random = SplitMix64(seed: 5)
        let samples = try VipsFixture.waves(size).samples().map {
            UInt8(clamping: Int($0) + Int(random.next() % 13) - 6)
        }
        return try VipsImage.from(samples: samples, size: size, bands: 3)
            .applying("copy", ["interpretation": .name("srgb")])
    }

    /// A picture of colours in the upper three bytes.
    private static func drawn(
        _ size: PixelSize, _ colour: (Int, Int) -> UInt32
    ) throws -> VipsImage {
        var samples: [UInt8] = []
        samples.reserveCapacity(3 * size.pixelCount)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let colour = colour(x, y)
                samples += [24, 16, 8].map { UInt8(truncatingIfNeeded: colour >> $0) }
            }
        }
        return try VipsImage.from(samples: samples, size: size, bands: 3)
            .applying("copy", ["interpretation": .name("srgb")])
    }
}
