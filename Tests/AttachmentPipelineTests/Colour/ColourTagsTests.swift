import AttachmentContainer
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Colours by tags", .timeLimit(.minutes(2)))
struct ColourTagsTests {
    typealias Engine = ProcessingSettings.EngineChoice

    /// Code points with their meaning from other publications: light of a sample, and the matrix
    /// from linear light to linear sRGB.
    struct Space: Sendable {
        let primaries: Int
        let transfer: Int
        let light: @Sendable (Double) -> Double
        let matrix: [[Double]]

        /// The colour in sRGB.
        func shown(_ colour: [Int]) -> [Int] {
            let light = colour.map { self.light(Double($0) / 255) }
            return (colour.count == 1 ? [[1]] : matrix).map { row in
                let mixed = zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }
                let linear = min(max(mixed, 0), 1)
                let encoded =
                    linear <= 0.003_130_8
                    ? 12.92 * linear : 1.055 * Foundation.pow(linear, 1 / 2.4) - 0.055
                return Int((encoded * 255).rounded())
            }
        }
    }

    private static let srgb: @Sendable (Double) -> Double = {
        $0 <= 0.04045 ? $0 / 12.92 : Foundation.pow(($0 + 0.055) / 1.055, 2.4)
    }
    private static let same: [[Double]] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    /// ITU-R BT.2087.
    private static let bt2020 = [
        [1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187],
    ]
    /// Display P3 to sRGB (CSS Color 4).
    static let p3 = [
        [1.2249, -0.2247, 0], [-0.0420, 1.0419, 0], [-0.0197, -0.0786, 1.0979],
    ]

    static let spaces: [Space] = [
        Space(primaries: 12, transfer: 13, light: srgb, matrix: p3),
        Space(primaries: 9, transfer: 1, light: srgb, matrix: bt2020),
        Space(primaries: 9, transfer: 14, light: srgb, matrix: bt2020),
        Space(primaries: 1, transfer: 4, light: { pow($0, 2.2) }, matrix: same),
        Space(primaries: 2, transfer: 5, light: { pow($0, 2.8) }, matrix: same),
        Space(
            primaries: 1, transfer: 7,
            light: { $0 < 0.0912 ? $0 / 4 : pow(($0 + 0.1115) / 1.1115, 1 / 0.45) }, matrix: same),
        Space(primaries: 12, transfer: 8, light: { $0 }, matrix: p3),
        Space(primaries: 1, transfer: 9, light: { pow(10, 2 * ($0 - 1)) }, matrix: same),
        Space(primaries: 1, transfer: 10, light: { pow(10, 2.5 * ($0 - 1)) }, matrix: same),
        Space(primaries: 1, transfer: 17, light: { pow($0, 2.6) * 52.37 / 48 }, matrix: same),
        // BT.709's own function is shown as sRGB.
        Space(primaries: 1, transfer: 1, light: srgb, matrix: same),
        Space(primaries: 2, transfer: 6, light: srgb, matrix: same),
    ]

    @Test("PNG with cICP", arguments: [Engine.automatic, .libvips])
    func cICP(engine: Engine) async throws {
        for space in Self.spaces {
            let png = try TaggedPicture().png([
                ("cICP", [UInt8(space.primaries), UInt8(space.transfer), 0, 1])
            ])
            try await expect(png, space.shown([128, 64, 64]), engine, "\(space)")
        }
    }

    @Test("AVIF and HEIC with nclx", arguments: [Engine.automatic, .libvips])
    func nclx(engine: Engine) async throws {
        let (av1, hevc) = (try TaggedPicture().av1(), try TaggedPicture().hevc())
        for space in Self.spaces {
            let (primaries, transfer) = (space.primaries, space.transfer)
            let shown = space.shown([128, 64, 64])
            let avif = Self.file(av1, primaries, transfer, matrix: 0)
            try await expect(avif, shown, engine, "AVIF \(space)")
            let heic = Self.file(hevc, primaries, transfer, matrix: 6)
            // HEVC is not lossless.
            try await expect(heic, shown, engine, "HEIC \(space)", within: 4)
        }
    }

    @Test("Tiles without nclx have that of their grid", arguments: [Engine.automatic, .libvips])
    func grid(engine: Engine) async throws {
        let grid = HEIFWriter.mosaic(
            [try TaggedPicture().av1()], columns: 2, rows: 1, 128, 64,
            [HEIFWriter.colours(12, 8, 0, isFull: true)])
        try await expect(
            Data(grid.bytes), Self.spaces[6].shown([128, 64, 64]), engine, "grid")
    }

    @Test("Renditions in Display P3 keep its numbers and have its profile")
    func displayP3() async throws {
        try await ProcessorFixture.with { fixture in
            try TaggedPicture().png([("cICP", [12, 13, 0, 1])]).write(to: fixture.url("in.png"))
            let manifest = try await fixture.process("in.png") {
                ($0.width, $0.scale, $0.colourSpace, $0.quality) = (32, 1, .displayP3, 95)
            }.manifest
            let picture = try fixture.picture(.expanded, of: manifest)
            #expect(picture.isWiderThanSRGB)
            let pixel = try picture.pixel(16, 8)
            #expect(zip(pixel, [128, 64, 64]).allSatisfy { abs($0 - $1) <= 3 }, "\(pixel)")
        }
    }

    @Test("Every model of PNG", arguments: [Engine.automatic, .libvips])
    func models(engine: Engine) async throws {
        let space = Self.spaces[6]
        let chunks = [("cICP", [UInt8(12), 8, 0, 1])]
        let dark = [12, 4, 3]
        // libvips lets Little CMS interpolate between 33 levels of grey.
        let grey = engine == .libvips ? [55] : [3]
        for picture in [
            TaggedPicture(isPalette: true), TaggedPicture(isInterlaced: true),
            TaggedPicture(alpha: 128), TaggedPicture(colour: dark, bitsPerSample: 16),
            TaggedPicture(colour: dark, bitsPerSample: 16, alpha: 128),
            TaggedPicture(colour: dark, bitsPerSample: 16, isInterlaced: true),
            TaggedPicture(colour: [55]), TaggedPicture(colour: grey, bitsPerSample: 16),
            TaggedPicture(colour: [55], alpha: 128),
            TaggedPicture(colour: grey, bitsPerSample: 16, alpha: 128),
        ] {
            try await expect(
                try picture.png(chunks), space.shown(picture.colour), engine, "\(picture)",
                alpha: picture.alpha)
        }
    }

    @Test("AVIF of 10 bits, and in grey", arguments: [Engine.automatic, .libvips])
    func deepAVIF(engine: Engine) async throws {
        let space = Self.spaces[6]
        for picture in [
            TaggedPicture(bitsPerSample: 16), TaggedPicture(colour: [55]),
            TaggedPicture(colour: [30], bitsPerSample: 16),
        ] {
            let avif = Self.file(
                try picture.av1(), 12, 8, matrix: picture.colour.count == 1 ? 6 : 0)
            try await expect(avif, space.shown(picture.colour), engine, "\(picture)")
        }
    }

    @Test("PNG with gAMA and cHRM", arguments: [Engine.automatic, .libvips])
    func numbers(engine: Engine) async throws {
        let p3: [UInt32] = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000]
        let primaries = ("cHRM", p3.flatMap(Self.big))
        let power = Space(
            primaries: 12, transfer: 4, light: { pow($0, 1 / 0.45455) }, matrix: Self.p3)
        for (chunks, shown) in [
            (
                [("gAMA", Self.big(100_000))],
                Space(
                    primaries: 1, transfer: 8, light: { $0 }, matrix: Self.same)
            ),
            ([primaries], Self.spaces[0]),
            ([primaries, ("gAMA", Self.big(45_455))], power),
            ([("sRGB", [0]), primaries, ("gAMA", Self.big(100_000))], Self.spaces[10]),
        ] {
            try await expect(
                try TaggedPicture().png(chunks), shown.shown([128, 64, 64]), engine, "\(chunks)")
        }
    }

    @Test("A PNG whose tags mean sRGB is kept, one with other tags is not")
    func kept() async throws {
        try await ProcessorFixture.with { fixture in
            for (gamma, isKept) in [(UInt32(45_455), true), (43_500, true), (55_556, false)] {
                try TaggedPicture().png([("gAMA", Self.big(gamma))])
                    .write(to: fixture.url("in.png"))
                let manifest = try await fixture.process("in.png").manifest
                #expect(
                    manifest.notes.contains("kept without its metadata") == isKept, "\(gamma)")
            }
        }
    }

    @Test(
        "PQ and HLG in a PNG are tone-mapped, and say so",
        arguments: [Engine.automatic, .libvips])
    func highDynamicRange(engine: Engine) async throws {
        // PQ of 40.6 cd/m², a fifth of reference white, which is below the knee (BT.2100).
        let power = pow(40.6 / 10_000, 2610.0 / 16_384)
        let signal = pow(
            (3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
        let code = Int((signal * 255).rounded())
        let shown = Int(((1.055 * pow(0.2, 1 / 2.4) - 0.055) * 255).rounded())
        for picture in [
            TaggedPicture(colour: [code, code, code]), TaggedPicture(colour: [code]),
            TaggedPicture(colour: [code, code, code], bitsPerSample: 16, alpha: 128),
            TaggedPicture(colour: [code, code, code], bitsPerSample: 16, isInterlaced: true),
        ] {
            let notes = try await expect(
                try picture.png([("cICP", [9, 16, 0, 1])]),
                picture.colour.map { _ in shown }, engine, "\(picture)", within: 4,
                alpha: picture.alpha)
            #expect(notes == ["tone-mapped from high dynamic range"])
        }
        let notes = try await expect(
            try TaggedPicture(colour: [255, 255, 255]).png([("cICP", [9, 18, 0, 1])]),
            [255, 255, 255], engine, "HLG")
        #expect(notes == ["tone-mapped from high dynamic range"])
    }

    @Test("Reserved code points are named", arguments: [Engine.automatic, .libvips])
    func reserved(engine: Engine) async throws {
        let notes = try await expect(
            try TaggedPicture().png([("cICP", [3, 19, 0, 1])]), [128, 64, 64], engine, "reserved")
        #expect(
            notes == [
                "reserved colour primaries 3 and transfer characteristics 19 were taken for those of sRGB"
            ])
    }

    private static func file(
        _ piece: CodedPiece, _ primaries: Int, _ transfer: Int, matrix: Int
    ) -> Data {
        Data(
            HEIFWriter.single(
                piece, [HEIFWriter.colours(primaries, transfer, matrix, isFull: true)]
            ).bytes)
    }

    /// Processes a file, compares the colour of its rendition and returns the manifest's notes.
    @discardableResult
    private func expect(
        _ file: Data, _ colour: [Int], _ engine: Engine, _ comment: String, within: Int = 2,
        alpha: Int? = nil
    ) async throws -> [String] {
        try await ProcessorFixture.with { fixture in
            try file.write(to: fixture.url("in"))
            let manifest = try await fixture.process("in") {
                ($0.width, $0.scale, $0.engine, $0.quality) = (32, 1, engine, 95)
            }.manifest
            #expect(manifest.engine == (engine == .libvips ? "libvips" : "rows"))
            let pixel = try fixture.picture(.expanded, of: manifest).pixel(16, 8)
            let colours = pixel.count < 3 ? pixel.prefix(1) : pixel.prefix(3)
            let expected =
                colours.count == colour.count ? colour : [colour[0], colour[0], colour[0]]
            #expect(
                zip(colours, expected).allSatisfy { abs($0 - $1) <= within },
                "\(pixel) not \(expected): \(comment)")
            #expect((pixel.count % 2 == 0 ? pixel.last : nil) == alpha, "\(comment)")
            return manifest.notes
        }
    }

    private static func big(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
