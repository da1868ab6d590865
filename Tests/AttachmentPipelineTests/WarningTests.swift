import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Decoder warnings", .timeLimit(.minutes(1)))
struct WarningTests {
    private let size = PixelSize(width: 320, height: 240)

    @Test("A JPEG with stray bytes between segments is re-encoded, not kept")
    func strayBytes() async throws {
        try await ProcessorFixture.with { fixture in
            let whole = try jpeg(in: fixture)
            // After SOI and the first segment.
            let border = 4 + Int(whole[4]) << 8 + Int(whole[5])
            var stray = whole
            stray.insert(contentsOf: [1, 2, 3], at: border)
            try stray.write(to: fixture.url("stray.jpg"))
            try await check("stray.jpg", keeps: "whole.jpg", in: fixture) {
                $0 == ["stray bytes were skipped"]
            }
            let manifest = try await fixture.process("stray.jpg", identifier: "tolerant") {
                $0.toleratesTruncation = true
            }.manifest
            #expect(try fixture.bytes(.expanded, of: manifest) != stray)
        }
    }

    @Test("A PNG with a wrong checksum in an ancillary chunk is re-encoded, not kept")
    func wrongChecksum() async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(size).write(
                to: fixture.url("whole.png"), with: "pngsave_target", ["strip": .bool(true)])
            var bytes = try Data(contentsOf: fixture.url("whole.png"))
            // After signature and IHDR (33 bytes): pHYs of one pixel a metre, with a zero checksum.
            bytes.insert(
                contentsOf: [0, 0, 0, 9] + Array("pHYs".utf8)
                    + [0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0],
                at: 33)
            try bytes.write(to: fixture.url("checksum.png"))
            try await check("checksum.png", keeps: "whole.png", in: fixture) { $0.isEmpty }
        }
    }

    /// Processes a file that causes a warning, and one that does not.
    private func check(
        _ name: String, keeps whole: String, in fixture: ProcessorFixture,
        _ isExpected: ([String]) -> Bool
    ) async throws {
        let kept = try await fixture.process(whole, identifier: "whole").manifest
        #expect(kept.notes == ["kept as it was"])
        let manifest = try await fixture.process(name, identifier: name).manifest
        #expect(isExpected(manifest.notes), "\(manifest.notes)")
        #expect(try fixture.bytes(.expanded, of: manifest) != Data(contentsOf: fixture.url(name)))
        let (found, expected) = (
            try fixture.picture(.expanded, of: manifest), try fixture.picture(.expanded, of: kept)
        )
        #expect(found.size == expected.size)
        #expect(try found.largestDifference(from: expected) < 40)
    }

    @Test("Damage in a file that would be kept is an error")
    func damage() async throws {
        try await ProcessorFixture.with { fixture in
            let whole = try jpeg(in: fixture)
            var damaged = whole
            let middle = whole.count / 2
            damaged.replaceSubrange(middle..<middle + 2, with: [0xFF, 0xD9])
            try damaged.write(to: fixture.url("damaged.jpg"))
            let code = try await fixture.refuse("damaged.jpg")?.code
            #expect(code == .corrupt || code == .truncated)
        }
    }

    /// The probe may pass over a chunk of the same length.
    @Test("A PNG with text between its image data is refused", arguments: [1, 2, 5])
    func textInImageData(place: Int) async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(size).write(
                to: fixture.url("in.png"), with: "pngsave_target", ["strip": .bool(true)])
            let bytes = try Data(contentsOf: fixture.url("in.png"))
            let start = try #require(bytes.firstRange(of: Data("IDAT".utf8))).lowerBound - 4
            let length = Int(bytes[start + 2]) << 8 + Int(bytes[start + 3])
            let data = [UInt8](bytes[start + 8..<start + 8 + length])
            var pieces = stride(from: 0, to: data.count, by: 64).map {
                Data.pngChunk("IDAT", data[$0..<Swift.min($0 + 64, data.count)])
            }
            let write = { (name: String) in
                let before = bytes[..<start] + Data(pieces.joined())
                try (before + bytes[(start + 12 + length)...]).write(to: fixture.url(name))
            }
            try write("whole.png")
            let text = Array("Author\0".utf8) + [UInt8](repeating: 65, count: 57)
            pieces.insert(Data.pngChunk("tEXt", text), at: place)
            try write("hidden.png")
            let whole = try await fixture.process("whole.png", identifier: "whole").manifest
            #expect(whole.notes == ["kept as it was"])
            #expect(try await fixture.refuse("hidden.png")?.code == .truncated)
        }
    }

    @Test("Restart markers out of order are tolerated as in libjpeg, with a note")
    func restarts() async throws {
        try await ProcessorFixture.with { fixture in
            _ = try jpeg(in: fixture, ["restart_interval": .int(4)])
            var bytes = try Data(contentsOf: fixture.url("whole.jpg"))
            let markers = bytes.indices.dropLast().filter {
                bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[$0 + 1])
            }
            let third = try #require(markers.dropFirst(2).first)
            // Four numbers ahead, which libjpeg accepts.
            bytes[third + 1] = bytes[third + 1] ^ 4
            try bytes.write(to: fixture.url("restarts.jpg"))
            try await check("restarts.jpg", keeps: "whole.jpg", in: fixture) {
                $0 == ["restart markers were out of order"]
            }
        }
    }

    @Test("A colour profile after the frame header is used", arguments: [false, true])
    func lateProfile(isProgressive: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            let samples = (0..<200 * 100).flatMap { _ in [200, 60, 30] as [UInt8] }
            let plain = try VipsImage.from(
                samples: samples, size: PixelSize(width: 200, height: 100), bands: 3
            ).applying("copy", ["interpretation": .name("srgb")])
            try plain.applying(
                "icc_transform", ["output-profile": .name("p3"), "input-profile": .name("srgb")]
            ).write(
                to: fixture.url("early.jpg"), with: "jpegsave_target",
                ["interlace": .bool(isProgressive)])
            let early = try Data(contentsOf: fixture.url("early.jpg"))
            let segments = Self.segments(of: early)
            let frame = try #require(
                segments.first { [0xC0, 0xC2].contains(early[$0.lowerBound + 1]) })
            let profile = try #require(segments.first { early[$0.lowerBound + 1] == 0xE2 })
            #expect(profile.upperBound <= frame.lowerBound)
            let late =
                early[..<profile.lowerBound] + early[profile.upperBound..<frame.upperBound]
                + early[profile] + early[frame.upperBound...]
            try late.write(to: fixture.url("late.jpg"))
            let found = try await fixture.process("late.jpg", identifier: "late").manifest
            let expected = try await fixture.process("early.jpg", identifier: "early").manifest
            let (picture, reference) = (
                try fixture.picture(.expanded, of: found),
                try fixture.picture(.expanded, of: expected)
            )
            #expect(try picture.largestDifference(from: reference) == 0)
            // Converted to sRGB, not reinterpreted.
            #expect(try abs(picture.pixel(100, 50)[0] - 200) <= 2)
        }
    }

    /// Chunks between the picture and the end of an APNG of two frames.
    private static let brokenFrames: [(name: String, chunks: [UInt8])] = [
        ("no data", []),
        ("data that cannot be inflated", Array(Data.pngChunk("fdAT", [0, 0, 0, 2, 1, 2, 3, 4]))),
        ("data that end early", Array(Data.pngChunk("fdAT", [0, 0, 0, 2, 0x78, 0x9C]))),
    ]

    @Test(
        "An APNG with a broken frame becomes a still of its default image, with a note",
        arguments: brokenFrames)
    func brokenFrame(name: String, chunks: [UInt8]) async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(size).write(
                to: fixture.url("still.png"), with: "pngsave_target", ["strip": .bool(true)])
            var bytes = try Data(contentsOf: fixture.url("still.png"))
            func number(_ value: Int) -> [UInt8] {
                withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) }
            }
            func control(_ sequence: Int) -> [UInt8] {
                Array(
                    Data.pngChunk(
                        "fcTL",
                        number(sequence) + number(size.width) + number(size.height) + number(0)
                            + number(0) + [0, 1, 0, 10, 0, 0]))
            }
            // Two frames are announced: the picture and a broken frame.
            bytes.insert(contentsOf: control(1) + chunks, at: bytes.count - 12)
            bytes.insert(
                contentsOf: Data.pngChunk("acTL", number(2) + number(0)) + control(0), at: 33)
            try bytes.write(to: fixture.url("empty.png"))
            let manifest = try await fixture.process("empty.png").manifest
            #expect(manifest.notes == ["the default image instead of 2 frames"])
            #expect(manifest.rendition(.attachment) == nil)
            let picture = try fixture.picture(.expanded, of: manifest)
            #expect(picture.size == size)
            #expect(
                try picture.largestDifference(from: VipsFixture.gradient(size).inMemory()) < 40)
        }
    }

    /// A JPEG that is kept as it is.
    private func jpeg(
        in fixture: ProcessorFixture, _ arguments: [String: VipsArgument] = [:]
    ) throws -> Data {
        try VipsFixture.gradient(size).write(
            to: fixture.url("whole.jpg"), with: "jpegsave_target",
            arguments.merging(["strip": .bool(true)]) { $1 })
        return try Data(contentsOf: fixture.url("whole.jpg"))
    }

    /// Ranges of the segments before the first scan, with their markers.
    private static func segments(of bytes: Data) -> [Range<Int>] {
        var segments: [Range<Int>] = []
        var start = 2
        while start + 4 < bytes.count, bytes[start + 1] != 0xDA {
            let length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
            segments.append(start..<start + 2 + length)
            start += 2 + length
        }
        return segments
    }
}
