import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Linear light in both engines", .timeLimit(.minutes(3)))
struct LinearLightEngineTests {
    private static let size = PixelSize(width: 720, height: 480)

    /// Fine stripes of two levels, whose mean tells the kind of the reduction.
    private static func stripes(
        _ dark: UInt8, _ light: UInt8, alpha: UInt8? = nil, size: PixelSize = size
    ) throws -> VipsImage {
        let bands = alpha == nil ? 3 : 4
        let samples = (0..<size.pixelCount * bands).map { index in
            index % bands == 3
                ? alpha ?? 255 : index / bands % size.width % 2 == 0 ? dark : light
        }
        return try VipsImage.from(samples: samples, size: size, bands: bands)
            .applying("copy", ["interpretation": .name("srgb")])
    }

    private static func isLight(_ level: Int) -> Bool { (185...191).contains(level) }
    private static func isCoded(_ level: Int) -> Bool { (125...131).contains(level) }

    /// Levels in the middle of the expanded rendition and of the banner.
    private static func levels(
        _ fixture: ProcessorFixture, _ name: String, isLinear: Bool,
        _ change: (inout ProcessingSettings) -> Void = { _ in }
    ) async throws -> (levels: [Int], manifest: Manifest) {
        let manifest = try await fixture.process(name, identifier: "\(isLinear)") {
            ($0.width, $0.scale, $0.bannerSide, $0.quality) = (180, 1, 40, 95)
            $0.isLinear = isLinear
            change(&$0)
        }.manifest
        let levels = try [RenditionRole.expanded, .banner].map { role in
            let picture = try fixture.picture(role, of: manifest)
            return try picture.pixel(picture.size.width / 2, picture.size.height / 2)[0]
        }
        return (levels, manifest)
    }

    @Test(
        "Stripes keep their light with every format, depth and engine",
        arguments: [
            ("in.jpg", "jpegsave_target", "srgb"), ("in.png", "pngsave_target", "srgb"),
            ("in.png", "pngsave_target", "b-w"), ("in.png", "pngsave_target", "rgb16"),
            ("in.tif", "tiffsave_target", "grey16"), ("in.webp", "webpsave_target", "srgb"),
        ], [ProcessingSettings.EngineChoice.automatic, .libvips])
    func formats(
        file: (name: String, saver: String, space: String), engine: ProcessingSettings.EngineChoice
    ) async throws {
        try await ProcessorFixture.with { fixture in
            var arguments: [String: VipsArgument] = [:]
            if file.name != "in.png", file.name != "in.tif" { arguments = ["Q": .int(100)] }
            if file.name == "in.webp" { arguments = ["lossless": .bool(true)] }
            try Self.stripes(0, 255).applying("colourspace", ["space": .name(file.space)])
                .write(to: fixture.url(file.name), with: file.saver, arguments)
            let linear = try await Self.levels(fixture, file.name, isLinear: true) {
                $0.engine = engine
            }
            let coded = try await Self.levels(fixture, file.name, isLinear: false) {
                $0.engine = engine
            }
            #expect(linear.manifest.engine == (engine == .libvips ? "libvips" : "rows"))
            #expect(linear.levels.allSatisfy(Self.isLight), "\(linear.levels)")
            #expect(coded.levels.allSatisfy(Self.isCoded), "\(coded.levels)")
        }
    }

    @Test(
        "JPEGs of every sampling and orientation agree with libvips in linear light",
        arguments: JPEGCase.generated.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
    func jpeg(each: JPEGCase) async throws {
        try await ProcessorFixture.with { fixture in
            try each.write(VipsFixture.waves(each.size), to: fixture.url("in.jpg"))
            try await fixture.compareEngines("in.jpg", least: 38) {
                each.apply(to: &$0)
                $0.isLinear = true
            }
        }
    }

    @Test(
        "Transparent pictures agree with libvips in linear light", arguments: ["srgb", "rgb16"])
    func alpha(space: String) async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 600, height: 400)) { x, y in
                UInt8((x * 3 + y) % 256)
            }
            .applying("colourspace", ["space": .name(space)])
            .write(to: fixture.url("in.png"), with: "pngsave_target")
            try await fixture.compareEngines("in.png", least: 38) {
                ($0.width, $0.scale, $0.isLinear) = (200, 1, true)
            }
            let half = try Self.stripes(0, 255, alpha: 128)
            try half.write(to: fixture.url("half.png"), with: "pngsave_target")
            let linear = try await Self.levels(fixture, "half.png", isLinear: true)
            #expect(linear.levels.allSatisfy(Self.isLight), "\(linear.levels)")
        }
    }

    @Test("Samples of another transfer function are converted before", arguments: [1.0, 1.8, 3])
    func profiles(gamma: Double) async throws {
        try await ProcessorFixture.with { fixture in
            try Self.stripes(0, 255).write(
                to: fixture.url("plain.jpg"), with: "jpegsave_target", ["Q": .int(100)])
            let jpeg = try Data(contentsOf: fixture.url("plain.jpg"))
            try SampleProfile.rgb(gamma: gamma).embedded(in: jpeg)
                .write(to: fixture.url("in.jpg"))
            // Black and white have the same light with every function.
            let linear = try await Self.levels(fixture, "in.jpg", isLinear: true)
            #expect(linear.manifest.engine == "rows")
            #expect(linear.levels.allSatisfy(Self.isLight), "\(linear.levels)")
        }
    }

    @Test("A byte ceiling, a crop and an orientation hold in linear light")
    func ceiling() async throws {
        try await ProcessorFixture.with { fixture in
            var each = JPEGCase(size: PixelSize(width: 1600, height: 1200))
            each.orientation = .rotated90
            try each.write(VipsFixture.waves(each.size), to: fixture.url("in.jpg"))
            let manifest = try await fixture.process("in.jpg") {
                ($0.width, $0.scale, $0.isLinear) = (600, 1, true)
                ($0.maximumBytes, $0.cropRatio) = (ByteCount(9000), 1)
            }.manifest
            let expanded = try #require(manifest.rendition(.expanded))
            #expect(expanded.bytes.bytes <= 9000)
            #expect(expanded.size.width == expanded.size.height)
        }
    }

    @Test("A picture that keeps its size is encoded from the same samples")
    func keptSize() async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.waves(PixelSize(width: 300, height: 200)).marked(orientation: .mirrored)
                .write(to: fixture.url("in.webp"), with: "webpsave_target", ["Q": .int(90)])
            let files = try await [false, true].asyncMap { isLinear in
                try await fixture.bytes(
                    .expanded,
                    of: fixture.process("in.webp", identifier: "\(isLinear)") {
                        ($0.width, $0.scale, $0.isLinear) = (300, 1, isLinear)
                    }.manifest)
            }
            #expect(files[0] == files[1])
        }
    }

    @Test("The setting is a part of the fingerprint, and the default is not")
    func fingerprint() async throws {
        try await ProcessorFixture.with { fixture in
            try Self.stripes(0, 255).write(to: fixture.url("in.png"), with: "pngsave_target")
            #expect(try await fixture.process("in.png").work == .made)
            #expect(try await fixture.process("in.png") { $0.isLinear = true }.work == .made)
            #expect(try await fixture.process("in.png") { $0.isLinear = true }.work == .unchanged)
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(
        _ transform: (Element) async throws -> Value
    ) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
