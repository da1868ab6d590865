import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning
import AttachmentVips
import Foundation
import Randomness
import Testing

/// Every pair of presets, orientation, byte ceiling, format, engine and scratch files.
@Suite("Pairs of presets and options", .timeLimit(.minutes(4)))
struct PresetPairwiseTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let presets: PresetSelection
        let orientation: Orientation
        let ceiling: ByteCount
        let format: Format
        let engine: ProcessingSettings.EngineChoice
        let hasScratch: Bool

        var testDescription: String {
            "\(presets) \(orientation) \(ceiling) \(format) \(engine) "
                + (hasScratch ? "scratch" : "memory")
        }
    }

    enum Format: String, CaseIterable, Sendable {
        case jpeg, png, transparentPNG, webp, tiff

        var saver: String {
            switch self {
            case .jpeg: "jpegsave_target"
            case .png, .transparentPNG: "pngsave_target"
            case .webp: "webpsave_target"
            case .tiff: "tiffsave_target"
            }
        }
    }

    private static let selections: [PresetSelection] =
        Preset.allCases.map { [$0] }
        + [[.content, .avatar], [.banner, .webPush], PresetSelection(Preset.allCases)]
    /// Not reached, reached by a lower quality, reached by a smaller size.
    private static let ceilings = [10_000_000, 30_000, 6000].map { ByteCount($0) }

    static let cases: [Case] = {
        let counts = [
            selections.count, Orientation.allCases.count, ceilings.count, Format.allCases.count,
            ProcessingSettings.EngineChoice.allCases.count, 2,
        ]
        return Pairwise(counts, seed: 18).rows.map { row in
            Case(
                presets: selections[row[0]], orientation: Orientation.allCases[row[1]],
                ceiling: ceilings[row[2]], format: Format.allCases[row[3]],
                engine: ProcessingSettings.EngineChoice.allCases[row[4]], hasScratch: row[5] == 0)
        }
    }()

    /// Stored size; not divisible by the blocks of a JPEG.
    private static let stored = PixelSize(width: 501, height: 333)

    /// Detail that costs bytes, without the cost of drawing every pixel in Swift.
    private func picture(_ format: Format) throws -> VipsImage {
        let alpha = { (column: Int, row: Int) in UInt8(truncatingIfNeeded: 64 + column + row) }
        let small = VipsFixture.gradient(
            PixelSize(width: 167, height: 111), alpha: format == .transparentPNG ? alpha : nil)
        return try small.applying(
            "resize",
            ["scale": .double(3), "kernel": .name("nearest")])
    }

    @Test(
        "Renditions have the planned sizes, stay under their ceilings and are upright",
        arguments: cases)
    func pair(_ example: Case) async throws {
        try await ProcessorFixture.with { fixture in
            try picture(example.format).marked(orientation: example.orientation)
                .write(to: fixture.url("in"), with: example.format.saver)
            var settings = ProcessorFixture.settings
            settings.presets = example.presets
            settings.maximumBytes = example.ceiling
            settings.engine = example.engine
            if !example.hasScratch { settings.maximumScratchBytes = ByteCount(0) }
            let done = try await fixture.processor(settings).process(
                fixture.url("in").path, identifier: "id")
            let manifest = done.manifest
            #expect(manifest.renditions.map(\.role) == example.presets.roles)
            // Not every format keeps the orientation.
            let orientation = try #require(Orientation(rawValue: manifest.source.orientation))
            #expect(orientation == example.orientation || example.format != .jpeg)
            let upright = orientation.upright(Self.stored)
            for rendition in manifest.renditions {
                let name = rendition.role.rawValue
                #expect(rendition.bytes <= settings.maximumBytes(of: rendition.role), "\(name)")
                #expect(try fixture.picture(rendition.role, of: manifest).size == rendition.size)
                let isReduced = manifest.notes.contains {
                    $0.hasSuffix("for the byte ceiling") || $0.hasSuffix("than its source allows")
                }
                guard !isReduced, let planned = size(of: rendition.role, upright, settings) else {
                    continue
                }
                #expect(rendition.size == planned, "\(name)")
            }
            // Red increases to the right and green downwards, in the stored picture.
            for rendition in manifest.renditions where rendition.type == "public.jpeg" {
                try expectOrientation(rendition, of: manifest, orientation, fixture)
            }
            #expect(try fixture.incoming.isEmpty)
        }
    }

    private func size(
        of role: RenditionRole, _ upright: PixelSize, _ settings: ProcessingSettings
    ) -> PixelSize? {
        switch role {
        case .expanded: Planner(settings: settings).expandedSize(of: upright)
        case .banner: PixelSize(width: 264, height: 264)
        case .avatar: PixelSize(width: 180, height: 180)
        case .androidLargeIcon: PixelSize(width: 256, height: 256)
        case .androidBigPicture, .webPush:
            PixelSize(width: upright.width, height: Int((Double(upright.width) / 2).rounded()))
        // The whole picture has room.
        case .liveActivity: upright.height <= 480 ? upright : nil
        case .widget: upright
        default: nil
        }
    }

    /// Checks the direction of both gradients.
    private func expectOrientation(
        _ rendition: Manifest.Rendition, of manifest: Manifest, _ orientation: Orientation,
        _ fixture: ProcessorFixture
    ) throws {
        let picture = try fixture.picture(rendition.role, of: manifest)
        let (right, bottom) = (picture.size.width - 2, picture.size.height - 2)
        let (first, across, down) = (
            try picture.pixel(1, 1), try picture.pixel(right, 1), try picture.pixel(1, bottom)
        )
        // Of the stored picture, red is the column and green the row.
        let (red, green) = orientation.exchangesSides ? (down, across) : (across, down)
        let (isBackward, isUpward) = orientation.reversals
        let name: Comment = "\(rendition.role.rawValue)"
        #expect(isBackward ? red[0] < first[0] : red[0] > first[0], name)
        #expect(isUpward ? green[1] < first[1] : green[1] > first[1], name)
    }
}
