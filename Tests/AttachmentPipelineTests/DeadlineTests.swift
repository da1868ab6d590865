import AttachmentContainer
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Deadlines of a processor", .timeLimit(.minutes(1)))
struct DeadlineTests {
    /// Processes a file within a time, and records the start of decoding.
    private func outcome(
        of name: String, within time: Duration, in fixture: ProcessorFixture,
        willDecode: @escaping @Sendable () -> Void = {}
    ) async throws -> (error: AttachmentError?, didBegin: Bool) {
        let didBegin = Lock(false)
        var processor = try fixture.processor()
        processor.willDecode = { _, _ in
            didBegin.withLock { $0 = true }
            willDecode()
        }
        let request = AttachmentRequest(
            path: fixture.url(name).path, identifier: "id", deadline: .now + time)
        do throws(AttachmentError) {
            _ = try await processor.process(request)
            return (nil, didBegin.withLock(\.self))
        } catch {
            return (error, didBegin.withLock(\.self))
        }
    }

    @Test("A picture that takes too long to decode is refused before decoding")
    func picture() async throws {
        try await ProcessorFixture.with { fixture in
            // Only its header is valid. It is estimated at a second.
            try Self.pngWithoutPixels(17_000, 17_000).write(to: fixture.url("large.png"))
            let refused = try await outcome(
                of: "large.png", within: .milliseconds(400), in: fixture)
            #expect(refused.error?.code == .late && !refused.didBegin)
            #expect(refused.error?.reason.contains("takes about") == true)
            #expect(refused.error?.description.contains("more time") == true)
            // With more time it is decoded and found to be damaged.
            let tried = try await outcome(of: "large.png", within: .seconds(3600), in: fixture)
            #expect(tried.error != nil && tried.error?.code != .late && tried.didBegin)
        }
    }

    @Test("The estimate for an animation counts the pixels of all frames")
    func animation() async throws {
        try await ProcessorFixture.with { fixture in
            try Self.gifWithoutPixels(1150, 1150, frames: 3000).write(to: fixture.url("long.gif"))
            let refused = try await outcome(of: "long.gif", within: .seconds(10), in: fixture)
            #expect(refused.error?.code == .late)
            #expect(
                refused.error?.reason.contains("takes about") == true,
                "\(refused.error?.detailedDescription ?? "none")")
        }
    }

    /// Animations of headers, whose frames would take minutes; the deadline is in seconds.
    enum Long: String, CaseIterable {
        case apng, gif, webp

        var seconds: Int {
            switch self {
            case .apng: 40
            case .gif: 20
            case .webp: 60
            }
        }

        var frames: Int { self == .gif ? 50 : 100 }
        var size: String { self == .gif ? "600x65500" : "6300x6300" }

        var bytes: Data {
            switch self {
            case .apng: DeadlineTests.apngWithoutPixels(side: 6300, frames: frames)
            case .gif: DeadlineTests.gifWithoutPixels(600, 65_500, frames: frames)
            case .webp: DeadlineTests.webpWithoutPixels(side: 6300, frames: frames)
            }
        }
    }

    @Test(
        "A long animation of few bytes is refused with its frames and the time that they take",
        arguments: Long.allCases)
    func longAnimation(_ long: Long) async throws {
        try await ProcessorFixture.with { fixture in
            try long.bytes.write(to: fixture.url("long"))
            let time = Duration.seconds(long.seconds)
            let refused = try await outcome(of: "long", within: time, in: fixture).error
            let description = refused?.detailedDescription ?? "none"
            #expect(refused?.code == .late, "\(description)")
            #expect(
                refused?.reason.hasPrefix(
                    "decoding its \(long.frames) frames of \(long.size) pixels takes about")
                    == true,
                "\(description)")
            #expect(refused?.description.contains("more time") == true)
        }
    }

    @Test(
        "An animation refused for want of time is made with more of it",
        arguments: ["aurora-animated.png", "aurora-animated.gif", "aurora-animated.webp"])
    func ordinaryAnimation(name: String) async throws {
        try await ProcessorFixture.with { fixture in
            let source = ProcessorFixture.images.appending(path: name)
            try FileManager.default.copyItem(at: source, to: fixture.url(name))
            let refused = try await outcome(of: name, within: .milliseconds(20), in: fixture)
            #expect(refused.error?.code == .late)
            #expect(try await outcome(of: name, within: .seconds(50), in: fixture).error == nil)
        }
    }

    @Test("A grid of many small tiles is refused by their number", arguments: [false, true])
    func tiles(isAV1: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            // 1600 tiles of 64 × 64 pixels.
            try Data(Self.gridWithoutPixels(side: 40, isAV1: isAV1))
                .write(to: fixture.url("grid"))
            let refused = try await outcome(of: "grid", within: .milliseconds(500), in: fixture)
            #expect(refused.error?.code == .late && !refused.didBegin)
            #expect(
                refused.error?.reason.contains("takes about") == true,
                "\(refused.error?.detailedDescription ?? "none")")
            let tried = try await outcome(of: "grid", within: .seconds(3600), in: fixture)
            #expect(tried.error?.code != .late && tried.didBegin)
        }
    }

    @Test("A passed deadline ends the work and is not reported as cancellation")
    func passing() async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 300, height: 300))
                .write(to: fixture.url("in.png"), with: "pngsave_target")
            let late = try await outcome(of: "in.png", within: .seconds(1), in: fixture) {
                Thread.sleep(forTimeInterval: 1.1)
            }
            // On a busy machine it may have passed earlier.
            #expect(late.error?.code == .late)
            #expect(try fixture.container.manifest(for: "id") == nil)
            #expect(try fixture.incoming.isEmpty)
        }
    }

    @Test("A GIF too short for the frame that it claims is cut, not late")
    func claimedFrame() async throws {
        try await ProcessorFixture.with { fixture in
            var gif = StillGIF()
            gif.end = [0x2C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0] + gif.data + gif.end
            try gif.bytes.write(to: fixture.url("in.gif"))
            let refused = try await outcome(of: "in.gif", within: .seconds(10), in: fixture)
            #expect(refused.error?.code == .truncated)
        }
    }

    /// A PNG with a header and without pixels.
    private static func pngWithoutPixels(_ width: UInt32, _ height: UInt32) -> Data {
        func bytes(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
        let header = bytes(width) + bytes(height) + Data([8, 2, 0, 0, 0])
        let chunks: [Data] = [
            .pngChunk("IHDR", header), .pngChunk("IDAT", Data(repeating: 0, count: 8000)),
            .pngChunk("IEND", []),
        ]
        return chunks.reduce(pngSignature, +)
    }

    private static let pngSignature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    /// An animated PNG of 1 bit per pixel with frames without pixels (third edition, 11.3.6).
    private static func apngWithoutPixels(side: Int, frames: Int) -> Data {
        let size = HEIFWriter.big(side) + HEIFWriter.big(side)
        var data =
            pngSignature + Data.pngChunk("IHDR", Data(size + [1, 0, 0, 0, 0]))
            + Data.pngChunk("acTL", Data(HEIFWriter.big(frames) + HEIFWriter.big(0)))
        for frame in 0..<frames {
            let number = max(0, 2 * frame - 1)
            data += Data.pngChunk(
                "fcTL",
                Data(
                    HEIFWriter.big(number) + size + .init(repeating: 0, count: 8) + [
                        0, 1, 0, 10, 0, 0,
                    ]))
            let pixels = Data(repeating: 0, count: 4000)
            data +=
                frame == 0
                ? Data.pngChunk("IDAT", pixels)
                : Data.pngChunk("fdAT", Data(HEIFWriter.big(number + 1)) + pixels)
        }
        return data + Data.pngChunk("IEND", [])
    }

    /// An animated WebP with lossless frames without pixels (RFC 9649, 2.7 and 3.4).
    private static func webpWithoutPixels(side: Int, frames: Int) -> Data {
        func little(_ value: Int, _ width: Int) -> [UInt8] {
            HEIFWriter.big(value, width).reversed()
        }
        func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
            Array(type.utf8) + little(payload.count, 4) + payload
                + (payload.count % 2 == 1 ? [0] : [])
        }
        let size = little(side - 1, 3) + little(side - 1, 3)
        let picture = chunk(
            "VP8L",
            [0x2F] + little(side - 1 | (side - 1) << 14, 4) + .init(repeating: 0, count: 4000))
        let frame = chunk("ANMF", [0, 0, 0, 0, 0, 0] + size + little(100, 3) + [0] + picture)
        let body =
            Array("WEBP".utf8) + chunk("VP8X", [2, 0, 0, 0] + size)
            + chunk("ANIM", [0, 0, 0, 0, 0, 0]) + (0..<frames).flatMap { _ in frame }
        return Data(Array("RIFF".utf8) + little(body.count, 4) + body)
    }

    /// A grid of `side` × `side` tiles of 64 × 64 pixels, without coded bytes.
    private static func gridWithoutPixels(side: Int, isAV1: Bool) -> [UInt8] {
        let count = side * side
        let configuration = HEIFWriter.box(
            isAV1 ? "av1C" : "hvcC",
            isAV1 ? [0x81, 0, 0x0C, 0] : [1] + .init(repeating: 0, count: 22))
        var writer = HEIFWriter()
        writer.items = (1...count).map {
            HEIFWriter.Item(
                identifier: $0, type: isAV1 ? "av01" : "hvc1", bytes: [0],
                properties: [configuration, HEIFWriter.size(64, 64)])
        }
        let last = UInt8(side - 1)
        writer.items.append(
            HEIFWriter.Item(
                identifier: count + 1, type: "grid",
                bytes: [0, 0, last, last] + HEIFWriter.big(64 * side, 2)
                    + HEIFWriter.big(64 * side, 2),
                properties: [HEIFWriter.size(64 * side, 64 * side)]))
        writer.references = [("dimg", count + 1, Array(1...count))]
        writer.primary = count + 1
        writer.brand = isAV1 ? "avif" : "heic"
        return writer.bytes
    }

    /// A GIF with frames without pixels (GIF89a, sections 18 to 27).
    private static func gifWithoutPixels(_ width: UInt16, _ height: UInt16, frames: Int) -> Data {
        let size = [width, height].reduce(into: Data()) { data, side in
            data += withUnsafeBytes(of: side.littleEndian) { Data($0) }
        }
        let control = Data([0x21, 0xF9, 4, 0, 2, 0, 0, 0])
        // A clear code and the end code, of three bits each.
        let frame = Data([0x2C, 0, 0, 0, 0]) + size + [0, 2, 1, 0b10_1100, 0]
        return Data("GIF89a".utf8) + size + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
            + (0..<frames).reduce(into: Data()) { data, _ in data += control + frame } + [0x3B]
    }
}
