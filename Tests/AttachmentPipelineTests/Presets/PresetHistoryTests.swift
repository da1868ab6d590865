import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import Randomness
import SampleMedia
import Testing

/// Every pair of presets, orientation, byte ceiling, engine, fallback, colours and what becomes of
/// the notification in the container.
@Suite("Pairs of presets, fallback and pruning", .timeLimit(.minutes(4)))
struct PresetHistoryTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let presets: PresetSelection
        let orientation: Orientation
        let ceiling: ByteCount
        let engine: ProcessingSettings.EngineChoice
        let hasFallback: Bool
        let isOfRGB: Bool
        let history: History

        var testDescription: String {
            "\(presets) \(orientation) \(ceiling) \(engine) "
                + "\(hasFallback ? "fallback" : "alone") \(isOfRGB ? "RGB" : "YCbCr") \(history)"
        }

        /// The engine in the manifest.
        var usedEngine: Engine { isOfRGB || engine == .libvips ? .libvips : .rows }
    }

    enum History: CaseIterable, Sendable {
        /// Processed for another notification.
        case reused
        /// Processed again with one more preset, or one less.
        case otherPresets
        /// Pruned, and processed again.
        case pruned
        /// Pinned, so that pruning spares it.
        case pinned
        /// Pruned within the grace period, which spares it.
        case fresh
    }

    private static let selections: [PresetSelection] =
        [.content, .banner, .webPush].map { [$0] }
        + [[.content, .avatar], [.widget, .liveActivity], PresetSelection(Preset.allCases)]
    private static let ceilings = [10_000_000, 20_000, 5000].map { ByteCount($0) }

    static let cases: [Case] = {
        let counts = [
            selections.count, Orientation.allCases.count, ceilings.count,
            ProcessingSettings.EngineChoice.allCases.count, 2, 2, History.allCases.count,
        ]
        return Pairwise(counts, seed: 1804).rows.map { row in
            Case(
                presets: selections[row[0]], orientation: Orientation.allCases[row[1]],
                ceiling: ceilings[row[2]],
                engine: ProcessingSettings.EngineChoice.allCases[row[3]], hasFallback: row[4] == 0,
                isOfRGB: row[5] == 0, history: History.allCases[row[6]])
        }
    }()

    @Test("Renditions are the same before and after", arguments: cases)
    func history(_ example: Case) async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 160, height: 120)).write(
                to: fixture.url("in"), with: "jpegsave_target", ["strip": .bool(true)])
            let written = try Data(contentsOf: fixture.url("in"))
            try (example.isOfRGB ? written.declaredAsRGB : written)
                .withOrientation(UInt8(example.orientation.rawValue)).write(to: fixture.url("in"))
            var settings = ProcessorFixture.settings
            settings.presets = example.presets
            settings.maximumBytes = example.ceiling
            settings.engine = example.engine
            let processor = try AttachmentProcessor(
                settings: settings, container: fixture.container,
                fallback: example.hasFallback ? .libvips : nil)
            let path = fixture.url("in").path
            guard example.hasFallback || example.usedEngine == .rows else {
                let error = await #expect(throws: AttachmentError.self) {
                    _ = try await processor.process(path, identifier: "id")
                }
                #expect(error?.code == .needsLibvips && error?.file == path)
                #expect(try fixture.container.manifest(for: "id") == nil)
                #expect(try fixture.renditionFiles.isEmpty && fixture.incoming.isEmpty)
                return
            }
            let first = try await processor.process(path, identifier: "id")
            #expect(first.work == .made)
            #expect(first.manifest.engine == example.usedEngine.rawValue)
            #expect(first.manifest.source.orientation == example.orientation.rawValue)
            #expect(first.manifest.renditions.map(\.role) == example.presets.roles)
            for rendition in first.manifest.renditions {
                #expect(rendition.bytes <= settings.maximumBytes(of: rendition.role))
            }
            try await check(example.history, after: first.manifest, processor, path, fixture)
            #expect(try fixture.incoming.isEmpty)
            var findings = 0
            fixture.container.verify { if case .finding = $0 { findings += 1 } }
            #expect(findings == 0)
        }
    }

    private func check(
        _ history: History, after first: Manifest, _ processor: AttachmentProcessor,
        _ path: String, _ fixture: ProcessorFixture
    ) async throws {
        let own = Set(first.renditions.map(\.file))
        #expect(try fixture.renditionFiles == own)
        switch history {
        case .reused:
            let other = try await processor.process(path, identifier: "other")
            #expect(other.work == .reused && other.manifest.renditions == first.renditions)
            #expect(try fixture.renditionFiles == own)
        case .otherPresets:
            var request = AttachmentRequest(path: path, identifier: "id")
            request.presets = processor.settings.presets == [.content] ? [.avatar] : [.content]
            let other = try await processor.process(request)
            #expect(other.work == .made)
            #expect(other.manifest.renditions.map(\.role) == request.presets?.roles)
            try fixture.age()
            try fixture.container.prune(try PruningPolicy())
            #expect(try fixture.renditionFiles == Set(other.manifest.renditions.map(\.file)))
        case .pruned:
            try fixture.age()
            try fixture.container.prune(try PruningPolicy(maximumCount: 0))
            #expect(try fixture.container.manifest(for: "id") == nil)
            #expect(try fixture.renditionFiles.isEmpty)
            let again = try await processor.process(path, identifier: "id")
            #expect(again.work == .made && again.manifest.renditions == first.renditions)
        case .pinned, .fresh:
            if history == .pinned {
                #expect(try fixture.container.pin("id"))
                try fixture.age()
            }
            try fixture.container.prune(try PruningPolicy(maximumCount: 0))
            #expect(try fixture.container.manifest(for: "id") == first)
            #expect(try fixture.renditionFiles == own)
        }
    }
}

extension ProcessorFixture {
    /// Names of the files of renditions, as in manifests.
    fileprivate var renditionFiles: Set<String> {
        get throws {
            let path = container.root.appending(path: "renditions").path
            let names = try FileManager.default.subpathsOfDirectory(atPath: path)
            return Set(names.filter { $0.contains(".") })
        }
    }

    /// Makes all files of the container a day older than the grace period.
    fileprivate func age() throws {
        let files = FileManager.default
        for name in try files.subpathsOfDirectory(atPath: container.root.path) {
            try files.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -90_000)],
                ofItemAtPath: container.root.appending(path: name).path)
        }
    }
}
