import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning
import AttachmentVips
import CSimilarity
import Foundation
import SampleMedia
import Testing

@Suite("Size and quality at a byte ceiling", .timeLimit(.minutes(3)))
struct CeilingScoreTests {
    @Test(
        "The rendition scores more than by lower quality first and smaller size then",
        arguments: ["lake-baseline.jpg", "ridges-progressive.jpg", "meadow.tiff"], [0.5, 0.25])
    func better(name: String, share: Double) async throws {
        try await ProcessorFixture.with { fixture in
            let source = ProcessorFixture.images.appending(path: name)
            try FileManager.default.copyItem(at: source, to: fixture.url("in"))
            func made(
                _ identifier: String, _ change: (inout ProcessingSettings) -> Void
            ) async throws -> (manifest: Manifest, picture: VipsImage, bytes: Int) {
                let manifest = try await fixture.process("in", identifier: identifier) {
                    ($0.width, $0.scale, $0.bannerSide) = (480, 1, 32)
                    change(&$0)
                }.manifest
                let rendition = try #require(manifest.rendition(.expanded))
                return (
                    manifest, try fixture.picture(.expanded, of: manifest), rendition.bytes.bytes
                )
            }
            let original = try await made("png") { $0.stillType = .png }.picture
            let whole = try await made("whole") { $0.stillType = .jpeg }
            let ceiling = Int(share * Double(whole.bytes))
            let traded = try await made("traded") {
                ($0.stillType, $0.maximumBytes) = (.jpeg, ByteCount(ceiling))
            }
            #expect(traded.bytes <= ceiling)
            #expect(traded.manifest.notes.contains { $0.hasSuffix("for the byte ceiling") })
            let score = try Self.score(traded.picture, against: original)
            let ladder = EncodingLadder(
                size: whole.picture.size, isOpaque: true, quality: 80, floor: 32)
            for (index, attempt) in ladder.attempts.dropFirst().enumerated() {
                let habit = try await made("habit\(index)") {
                    $0.stillType = .jpeg
                    $0.width = Double(attempt.size.width)
                    if case .jpeg(let quality) = attempt.encoding { $0.quality = quality }
                }
                guard habit.bytes <= ceiling else { continue }
                let habits = try Self.score(habit.picture, against: original)
                // At half the bytes a step of the ladder may lie just under the ceiling.
                let gain = share < 0.5 ? 2.0 : -1
                #expect(score > habits + gain, "\(score), \(habits) of \(attempt)")
                return
            }
            Issue.record("no attempt of the ladder is under \(ceiling) bytes")
        }
    }

    @Test(
        "Text keeps its size at low quality",
        arguments: [ProcessingSettings.EngineChoice.automatic, .libvips])
    func text(engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let page = try TextPage(photograph: .tinted, hasText: true).picture
            try page.write(to: fixture.url("in.tif"), with: "tiffsave_target")
            let whole = try await fixture.process("in.tif") {
                ($0.engine, $0.stillType) = (engine, .jpeg)
            }
            let ceiling = ByteCount(
                try #require(whole.manifest.rendition(.expanded)).bytes.bytes * 2 / 5)
            let manifest = try await fixture.process("in.tif", identifier: "b") {
                ($0.engine, $0.stillType, $0.maximumBytes) = (engine, .jpeg, ceiling)
            }.manifest
            let rendition = try #require(manifest.rendition(.expanded))
            #expect(rendition.bytes <= ceiling)
            #expect(rendition.size == page.size, "\(manifest.notes)")
        }
    }

    /// Turned pictures that are read again from top to bottom were not held for their first score.
    @Test(
        "A turned picture keeps to a ceiling in a scratch file, in every coding",
        arguments: [1, 6, 7])
    func turned(orientation: Int) async throws {
        try await ProcessorFixture.with { fixture in
            let each = JPEGCase(
                size: PixelSize(width: 1600, height: 1200), sampling: "1x1",
                orientation: try #require(Orientation(rawValue: orientation)),
                isProgressive: orientation % 2 == 0)
            try each.write(VipsFixture.waves(each.size), to: fixture.url("in.jpg"))
            let settings = { (settings: inout ProcessingSettings) in
                (settings.engine, settings.width, settings.scale) = (.libvips, 1200, 1)
                settings.isLinear = orientation > 6
            }
            let whole = try await fixture.process("in.jpg", settings).manifest
            let length = try #require(whole.rendition(.expanded)).bytes.bytes
            for percent in [25, 60] {
                let ceiling = ByteCount(length * percent / 100)
                let footprint = try #require(Footprint.current()).bytes
                let manifest = try await fixture.process("in.jpg", identifier: "\(percent)") {
                    settings(&$0)
                    ($0.maximumBytes, $0.cap) = (
                        ceiling, MemoryCap(ByteCount(footprint + (6 << 20)))
                    )
                }.manifest
                let rendition = try #require(manifest.rendition(.expanded))
                #expect(rendition.bytes <= ceiling)
                // An upright picture is read from top to bottom.
                #expect(orientation == 1 || manifest.rung == "file-backed", "\(manifest.rung)")
            }
        }
    }

    @Test("The same file every time, with effort, linear light, a target score and both engines")
    func repeated() async throws {
        try await ProcessorFixture.with { fixture in
            let source = ProcessorFixture.images.appending(path: "meadow.tiff")
            try FileManager.default.copyItem(at: source, to: fixture.url("in"))
            for (index, engine) in [ProcessingSettings.EngineChoice.automatic, .libvips]
                .enumerated()
            {
                for target in [nil, 85.0] {
                    var files: Set<Data> = []
                    for round in 0..<2 {
                        let identifier = "\(index) \(target ?? 0) \(round)"
                        let done = try await fixture.process("in", identifier: identifier) {
                            ($0.width, $0.scale, $0.stillType) = (400, 1, .jpeg)
                            ($0.engine, $0.targetScore, $0.effort) = (engine, target, .best)
                            ($0.isLinear, $0.maximumBytes) = (true, ByteCount(9000))
                            // Another fingerprint, so that no file is kept from the first round.
                            $0.maximumPixels -= round
                        }
                        let rendition = try #require(done.manifest.rendition(.expanded))
                        #expect(rendition.bytes.bytes <= 9000)
                        #expect(rendition.bytes.bytes >= 8000, "\(done.manifest.notes)")
                        files.insert(try fixture.bytes(.expanded, of: done.manifest))
                    }
                    #expect(files.count == 1)
                }
            }
        }
    }
}

extension CeilingScoreTests {
    /// SSIMULACRA2 of a picture that is enlarged to the original's size.
    private static func score(_ picture: VipsImage, against original: VipsImage) throws -> Double {
        let size = original.size
        try #require(picture.bands == 3 && original.bands == 3)
        let similarity = try #require(
            thimble_similarity_new(
                CInt(size.width), CInt(size.height), THIMBLE_SIMILARITY_BEST))
        defer { thimble_similarity_free(similarity) }
        let (samples, small) = (try original.samples(), try picture.samples())
        for y in 0..<size.height {
            let row = 3 * size.width * y..<3 * size.width * (y + 1)
            let shown = (0..<size.width).flatMap {
                Self.pixel($0, y, of: small, picture.size, at: size)
            }
            thimble_similarity_push(similarity, Array(samples[row]), shown)
        }
        return thimble_similarity_score(similarity)
    }

    /// A pixel of a picture at another size, by linear interpolation between centres of pixels.
    private static func pixel(
        _ x: Int, _ y: Int, of samples: [UInt8], _ size: PixelSize, at shown: PixelSize
    ) -> [UInt8] {
        func place(_ index: Int, _ count: Int, _ length: Int) -> (Int, Int, Double) {
            let exact = (Double(index) + 0.5) * Double(count) / Double(length) - 0.5
            let clamped = min(Double(count - 1), max(0, exact))
            let first = Int(clamped)
            return (first, min(first + 1, count - 1), clamped - Double(first))
        }
        let (left, right, across) = place(x, size.width, shown.width)
        let (top, bottom, down) = place(y, size.height, shown.height)
        return (0..<3).map { band in
            func sample(_ x: Int, _ y: Int) -> Double {
                Double(samples[3 * (y * size.width + x) + band])
            }
            let above = sample(left, top) * (1 - across) + sample(right, top) * across
            let below = sample(left, bottom) * (1 - across) + sample(right, bottom) * across
            return UInt8((above * (1 - down) + below * down).rounded())
        }
    }
}
