import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import CSimilarity
import Foundation
import Randomness
import SampleMedia
import Testing

@Suite("Target scores", .timeLimit(.minutes(3)))
struct TargetScoreTests {
    @Test(
        "A generated picture gets the score, whatever the engine",
        arguments: [65, 75, 85], ProcessingSettings.EngineChoice.allCases)
    func generated(target: Double, engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let original = try Self.photograph(PixelSize(width: 611, height: 407))
            try original.write(to: fixture.url("in"), with: "pngsave_target")
            let done = try await fixture.process("in") {
                // PNGs that can be shown as they are would be kept.
                ($0.targetScore, $0.engine, $0.stillType) = (target, engine, .jpeg)
            }
            let rendition = try fixture.picture(.expanded, of: done.manifest)
            let score = try Self.score(rendition, against: original)
            #expect(abs(score - target) <= 1.5, "\(score) \(done.manifest.notes)")
            let noted = try #require(Self.noted(in: done.manifest))
            #expect(abs(noted - score) < 0.06, "\(noted) for \(score)")
        }
    }

    @Test(
        "Photographs that are reduced get the score",
        arguments: [
            "lake-baseline.jpg", "lake-evening.heic", "ridges-progressive.jpg",
            "peak-orientation-6.jpg", "still-life.png", "meadow.tiff",
        ])
    func reduced(name: String) async throws {
        try await ProcessorFixture.with { fixture in
            let source = ProcessorFixture.images.appending(path: name)
            try FileManager.default.copyItem(at: source, to: fixture.url("in"))
            let done = try await fixture.process("in") {
                ($0.targetScore, $0.width, $0.scale, $0.stillType) = (75, 450, 2, .jpeg)
            }
            let noted = try #require(Self.noted(in: done.manifest), "\(done.manifest.notes)")
            #expect(abs(noted - 75) <= 1.5, "\(done.manifest.notes)")
            // The reduction itself, almost without loss.
            let kept = try await fixture.process("in", identifier: "kept") {
                ($0.stillType, $0.width, $0.scale) = (.png, 450, 2)
            }
            let score = try Self.score(
                fixture.picture(.expanded, of: done.manifest),
                against: fixture.picture(.expanded, of: kept.manifest))
            #expect(abs(score - 75) <= 1.5, "\(score) \(done.manifest.notes)")
        }
    }

    @Test(
        "Small pictures that halved chroma keeps from the score get full chroma",
        arguments: ProcessingSettings.EngineChoice.allCases)
    func small(engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let source = ProcessorFixture.images.appending(path: "meadow.tiff")
            try FileManager.default.copyItem(at: source, to: fixture.url("in"))
            let done = try await fixture.process("in") {
                ($0.targetScore, $0.width, $0.scale, $0.engine) = (75, 72, 2, engine)
            }
            let noted = try #require(Self.noted(in: done.manifest), "\(done.manifest.notes)")
            #expect(abs(noted - 75) <= 1.5, "\(done.manifest.notes)")
            let rendition = try #require(done.manifest.rendition(.expanded))
            let header = try Probe().picture(
                at: fixture.container.root.path + "/renditions/" + rendition.file)
            #expect(header.coding.subsamplingName == "4:4:4")
        }
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let orientation: Orientation
        let content: Content
        let ceiling: ByteCount
        let colours: ProcessingSettings.ColourSpace
        let engine: ProcessingSettings.EngineChoice
        let crop: Bool

        var testDescription: String {
            "\(orientation) \(content) \(ceiling) \(colours) \(engine)\(crop ? " cropped" : "")"
        }
    }

    enum Content: String, CaseIterable, Sendable { case colour, grey, alpha, opaqueAlpha }

    static let cases: [Case] = {
        let ceilings = [10_000_000, 40_000].map { ByteCount($0) }
        let rows = Pairwise(
            [
                Orientation.allCases.count, Content.allCases.count, ceilings.count,
                ProcessingSettings.ColourSpace.allCases.count,
                ProcessingSettings.EngineChoice.allCases.count, 2,
            ], seed: 11
        ).rows
        return rows.map { row in
            Case(
                orientation: Orientation.allCases[row[0]], content: Content.allCases[row[1]],
                ceiling: ceilings[row[2]],
                colours: ProcessingSettings.ColourSpace.allCases[row[3]],
                engine: ProcessingSettings.EngineChoice.allCases[row[4]], crop: row[5] == 1)
        }
    }()

    @Test(
        "The score holds with every orientation, content and engine, and no ceiling is passed",
        arguments: cases)
    func pairs(_ example: Case) async throws {
        try await ProcessorFixture.with { fixture in
            let size = PixelSize(width: 321, height: 215)
            try Self.picture(example.content, size)
                .marked(orientation: example.orientation)
                .write(to: fixture.url("in"), with: "pngsave_target")
            let done = try await fixture.process("in") {
                ($0.targetScore, $0.maximumBytes) = (75, example.ceiling)
                ($0.colourSpace, $0.engine) = (example.colours, example.engine)
                if example.crop { $0.cropRatio = 1 }
            }
            let rendition = try #require(done.manifest.rendition(.expanded))
            #expect(rendition.bytes <= example.ceiling)
            let noted = Self.noted(in: done.manifest)
            guard example.content != .alpha else {
                #expect(rendition.type == RenditionType.png.rawValue && noted == nil)
                return
            }
            guard rendition.type == RenditionType.jpeg.rawValue else { return }
            let isWithinCeiling = !done.manifest.notes.contains { $0.contains("ceiling") }
            #expect(!isWithinCeiling || abs((noted ?? 0) - 75) <= 1.5, "\(done.manifest.notes)")
        }
    }

    @Test("A picture that is kept as it is has no score")
    func kept() async throws {
        try await ProcessorFixture.with { fixture in
            let source = ProcessorFixture.images.appending(path: "still-life-ready.jpg")
            try FileManager.default.copyItem(at: source, to: fixture.url("in"))
            let done = try await fixture.process("in") { $0.targetScore = 75 }
            #expect(Self.noted(in: done.manifest) == nil)
            #expect(try fixture.bytes(.expanded, of: done.manifest) == Data(contentsOf: source))
        }
    }

    @Test("Settings with another target make another rendition")
    func fingerprint() async throws {
        try await ProcessorFixture.with { fixture in
            try Self.photograph(PixelSize(width: 300, height: 200))
                .write(to: fixture.url("in"), with: "pngsave_target")
            var lengths: Set<Int> = []
            for target in [nil, 60.0, 85] {
                let done = try await fixture.process("in") {
                    ($0.targetScore, $0.stillType) = (target, .jpeg)
                }
                lengths.insert(try fixture.bytes(.expanded, of: done.manifest).count)
            }
            #expect(lengths.count == 3)
        }
    }
}

extension TargetScoreTests {
    /// The score in the notes of a manifest: "score 75.2 at quality 71".
    private static func noted(in manifest: Manifest) -> Double? {
        manifest.notes.lazy.compactMap { note in
            note.firstMatch(of: /score ([0-9.]+) at quality/).flatMap { Double($0.output.1) }
        }.first
    }

    private static func score(_ image: VipsImage, against original: VipsImage) throws -> Double {
        try #require(image.size == original.size)
        let (width, height) = (image.size.width, image.size.height)
        let similarity = try #require(
            thimble_similarity_new(CInt(width), CInt(height), THIMBLE_SIMILARITY_BEST))
        defer { thimble_similarity_free(similarity) }
        let (one, other) = (try original.samples(), try image.samples())
        try #require(original.bands == 3 && image.bands == 3)
        for y in 0..<height {
            let row = 3 * width * y..<3 * width * (y + 1)
            thimble_similarity_push(similarity, Array(one[row]), Array(other[row]))
        }
        return thimble_similarity_score(similarity)
    }

    private static func picture(_ content: Content, _ size: PixelSize) throws -> VipsImage {
        let photograph = try photograph(size)
        switch content {
        case .colour: return photograph
        case .grey: return try photograph.applying("extract_band", ["band": .int(1)])
        case .alpha:
            return try photograph.joined(
                with: photograph.applying("extract_band", ["band": .int(0)]))
        case .opaqueAlpha: return try photograph.joined(with: opaque(size))
        }
    }

    private static func opaque(_ size: PixelSize) throws -> VipsImage {
        try VipsImage.from(
            samples: [UInt8](repeating: 255, count: size.pixelCount), size: size, bands: 1)
    }

    /// Waves with the noise of a sensor.
    private static func photograph(_ size: PixelSize) throws -> VipsImage {
        var random = SplitMix64(seed: 7)
        let samples = try VipsFixture.waves(size).samples().map {
            UInt8(clamping: Int($0) + Int(random.next() % 9) - 4)
        }
        return try VipsImage.from(samples: samples, size: size, bands: 3)
            .applying("copy", ["interpretation": .name("srgb")])
    }
}
