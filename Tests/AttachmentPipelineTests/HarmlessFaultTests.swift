import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

/// Faults that lose no pixel, each with the right value: the picture of the intact file.
@Suite("Faults that lose no pixel", .timeLimit(.minutes(2)))
struct HarmlessFaultTests {
    private let size = PixelSize(width: 320, height: 240)

    @Test(
        "Wrong parameters of a sequential scan are ignored, with a note",
        arguments: [ProcessingSettings.EngineChoice.automatic, .libvips],
        [[0, 0, 0], [1, 63, 0], [0, 62, 0], [0, 63, 0x10], [0, 63, 1], [63, 0, 0x21]] as [[UInt8]])
    func scanParameters(engine: ProcessingSettings.EngineChoice, parameters: [UInt8]) async throws {
        try await check(engine, "wrong parameters of a sequential scan were ignored") { bytes in
            let scan = try #require(bytes.range(of: Data([0xFF, 0xDA])))
            let end = scan.lowerBound + 2 + Int(bytes[scan.lowerBound + 3])
            bytes.replaceSubrange(end - 3..<end, with: parameters)
        }
    }

    @Test(
        "A missing end marker is ignored, with a note",
        arguments: [ProcessingSettings.EngineChoice.automatic, .libvips],
        [false, true])
    func missingEnd(engine: ProcessingSettings.EngineChoice, isProgressive: Bool) async throws {
        try await check(
            engine, "the file lacks its end marker, but no pixels",
            ["interlace": .bool(isProgressive)]
        ) { bytes in bytes.removeLast(2) }
    }

    @Test(
        "Restart markers of any number stand for the expected ones",
        arguments: [ProcessingSettings.EngineChoice.automatic, .libvips], [false, true])
    func restarts(engine: ProcessingSettings.EngineChoice, isProgressive: Bool) async throws {
        try await check(
            engine, "restart markers were out of order",
            ["restart_interval": .int(4), "interlace": .bool(isProgressive)]
        ) { bytes in
            for index in bytes.indices.dropLast() where bytes[index] == 0xFF {
                if (0xD0...0xD7).contains(bytes[index + 1]) { bytes[index + 1] = 0xD0 }
            }
        }
    }

    @Test(
        "An unknown version of JFIF is ignored",
        arguments: [ProcessingSettings.EngineChoice.automatic, .libvips])
    func version(engine: ProcessingSettings.EngineChoice) async throws {
        try await check(engine, "an unknown version of JFIF was ignored") { bytes in
            let segment: [UInt8] = [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8)
            bytes.insert(contentsOf: segment + [3, 1, 0, 0, 1, 0, 1, 0, 0], at: 2)
        }
    }

    @Test("Components with the same identifier are told apart by their position")
    func identifiers() async throws {
        try await check(
            .automatic, "components with the same identifier were told apart by their position"
        ) { bytes in
            let frame = try #require(bytes.range(of: Data([0xFF, 0xC0]))).lowerBound
            let scan = try #require(bytes.range(of: Data([0xFF, 0xDA]))).lowerBound
            for component in 0..<3 {
                bytes[frame + 10 + 3 * component] = 7
                bytes[scan + 5 + 2 * component] = 7
            }
        }
    }

    @Test(
        "A missing interval or missing blocks are truncation",
        arguments: [ProcessingSettings.EngineChoice.automatic, .libvips])
    func missingPixels(engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let whole = try jpeg(in: fixture, ["restart_interval": .int(4)])
            let markers = whole.indices.dropLast().filter {
                whole[$0] == 0xFF && (0xD0...0xD7).contains(whole[$0 + 1])
            }
            try #require(markers.count > 8)
            try (whole[..<markers[5]] + whole[markers[6]...]).write(to: fixture.url("gap.jpg"))
            try whole.prefix(whole.count * 2 / 3).write(to: fixture.url("cut.jpg"))
            for name in ["gap.jpg", "cut.jpg"] {
                let error = try await fixture.refuse(name) { $0.engine = engine }
                // libvips does not tell a missing restart marker from damage.
                let isDamage = engine == .libvips && name == "gap.jpg" && error?.code == .corrupt
                #expect(
                    isDamage || error?.code == .truncated, "\(name): \(String(describing: error))")
                let manifest = try await fixture.process(name, identifier: name) {
                    ($0.engine, $0.toleratesTruncation) = (engine, true)
                }.manifest
                #expect(manifest.notes == ["the file is damaged: missing parts are blank"])
            }
        }
    }

    @Test(
        "With tolerance nothing fails that passes without it, and codes stay the same",
        arguments: [
            ("jpg", "jpegsave_target", false), ("jpg", "jpegsave_target", true),
            ("png", "pngsave_target", false), ("png", "pngsave_target", true),
            ("webp", "webpsave_target", false), ("tif", "tiffsave_target", false),
        ])
    func tolerance(name: String, saver: String, isInterlaced: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(size).write(
                to: fixture.url("whole"), with: saver,
                isInterlaced ? ["interlace": .bool(true)] : [:])
            let whole = try Data(contentsOf: fixture.url("whole"))
            for percent in [20, 50, 80, 95, 99, 100] {
                let cut = "\(percent).\(name)"
                try whole.prefix(whole.count * percent / 100).write(to: fixture.url(cut))
                let strict = await outcome(of: cut, tolerant: false, in: fixture)
                let tolerant = await outcome(of: cut, tolerant: true, in: fixture)
                switch (strict, tolerant) {
                case (.success(let one), .success(let other)): #expect(one == other, "\(cut)")
                case (.success, .failure(let error)): Issue.record("\(cut): \(error)")
                case (.failure, .success): break
                case (.failure(let one), .failure(let other)): #expect(one.code == other.code)
                }
            }
        }
    }

    @Test("A JPEG of 127 scans is decoded with all coefficients in memory")
    func scans() async throws {
        try await ProcessorFixture.with { fixture in
            try Self.flat(scans: 127).write(to: fixture.url("scans.jpg"))
            let manifest = try await fixture.process("scans.jpg").manifest
            let picture = try fixture.picture(.expanded, of: manifest)
            #expect(picture.size == PixelSize(width: 40, height: 40))
            #expect(try abs(picture.pixel(20, 20)[0] - 128) <= 1)
        }
    }

    @Test("Bits of a PNG's colour key above its depth are ignored")
    func colourKey() async throws {
        try await ProcessorFixture.with { fixture in
            // Two rows of four grey pixels of two bits, 0 to 3; 2 is transparent.
            let rows: [UInt8] = [0, 0b0001_1011, 0, 0b0001_1011]
            let sum = rows.reduce((1, 0)) { ($0.0 + Int($1), $0.1 + $0.0 + Int($1)) }
            let zlib: [UInt8] =
                [0x78, 1, 1, 4, 0, 0xFB, 0xFF] + rows
                + [UInt8(sum.1 >> 8), UInt8(sum.1 & 255), UInt8(sum.0 >> 8), UInt8(sum.0 & 255)]
            var png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            png += Data.pngChunk("IHDR", [0, 0, 0, 4, 0, 0, 0, 2, 2, 0, 0, 0, 0])
            png += Data.pngChunk("tRNS", [0xFF, 0xFE])
            png += Data.pngChunk("IDAT", zlib)
            png += Data.pngChunk("IEND", [])
            try png.write(to: fixture.url("key.png"))
            let manifest = try await fixture.process("key.png").manifest
            let picture = try fixture.picture(.expanded, of: manifest)
            let alphas = try (0..<4).map { try picture.pixel($0, 0).last }
            #expect(picture.hasAlpha && alphas == [255, 255, 0, 255])
        }
    }

    /// Processes an intact file and one with a fault, and compares the pictures.
    private func check(
        _ engine: ProcessingSettings.EngineChoice, _ note: String,
        _ arguments: [String: VipsArgument] = [:],
        _ change: (inout Data) throws -> Void
    ) async throws {
        try await ProcessorFixture.with { fixture in
            var bytes = try jpeg(in: fixture, arguments)
            try change(&bytes)
            try bytes.write(to: fixture.url("fault.jpg"))
            let kept = try await fixture.process("whole.jpg", identifier: "whole").manifest
            let manifest = try await fixture.process("fault.jpg", identifier: "fault") {
                $0.engine = engine
            }.manifest
            #expect(manifest.notes == [note])
            let (found, expected) = (
                try fixture.picture(.expanded, of: manifest),
                try fixture.picture(.expanded, of: kept)
            )
            #expect(try found.largestDifference(from: expected) < 40)
            // A copy must be a file that stricter decoders accept.
            #expect(try fixture.bytes(.expanded, of: manifest) != bytes)
        }
    }

    private func outcome(
        of name: String, tolerant: Bool, in fixture: ProcessorFixture
    ) async -> Result<Data, AttachmentError> {
        do {
            let manifest = try await fixture.process(name, identifier: "\(name)-\(tolerant)") {
                $0.toleratesTruncation = tolerant
            }.manifest
            return .success(try fixture.bytes(.expanded, of: manifest))
        } catch let error as AttachmentError {
            return .failure(error)
        } catch {
            Issue.record(error)
            return .success(Data())
        }
    }

    private func jpeg(
        in fixture: ProcessorFixture, _ arguments: [String: VipsArgument]
    ) throws -> Data {
        try VipsFixture.gradient(size).write(
            to: fixture.url("whole.jpg"), with: "jpegsave_target",
            arguments.merging(["strip": .bool(true)]) { $1 })
        return try Data(contentsOf: fixture.url("whole.jpg"))
    }

    /// A grey picture of 40 × 40 pixels whose coefficients, all zero, come in up to 127 scans.
    private static func flat(scans: Int) -> Data {
        func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
            [0xFF, marker, 0, UInt8(body.count + 2)] + body
        }
        func scan(_ first: UInt8, _ last: UInt8, _ bits: UInt8) -> [UInt8] {
            // 25 blocks with the only code, one bit of 0, and padding of ones.
            segment(0xDA, [1, 1, 0, first, last, bits]) + [0, 0, 0, 0x7F]
        }
        let code = [1] + Array(repeating: UInt8(0), count: 15) + [0]
        var bytes: [UInt8] = [0xFF, 0xD8]
        bytes += segment(0xDB, [0] + Array(repeating: 1, count: 64))
        bytes += segment(0xC2, [8, 0, 40, 0, 40, 1, 1, 0x11, 0])
        bytes += segment(0xC4, [0x00] + code) + segment(0xC4, [0x10] + code)
        bytes += scan(0, 0, 0)
        bytes += (1...63).flatMap { scan($0, $0, 0x01) }
        bytes += (1...63).prefix(scans - 64).flatMap { scan($0, $0, 0x10) }
        return Data(bytes + [0xFF, 0xD9])
    }
}
