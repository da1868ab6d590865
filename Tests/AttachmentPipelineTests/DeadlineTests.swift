import AttachmentContainer
import AttachmentModel
import Foundation
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
            // Only its header is valid.
            try Self.pngWithoutPixels(17_000, 17_000).write(to: fixture.url("large.png"))
            let refused = try await outcome(of: "large.png", within: .seconds(1), in: fixture)
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
            try Self.gifWithoutPixels(side: 1150, frames: 3000).write(to: fixture.url("long.gif"))
            let refused = try await outcome(of: "long.gif", within: .seconds(10), in: fixture)
            #expect(refused.error?.code == .late)
            #expect(
                refused.error?.reason.contains("takes about") == true,
                "\(refused.error?.detailedDescription ?? "none")")
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

    /// A PNG with a header and without pixels.
    private static func pngWithoutPixels(_ width: UInt32, _ height: UInt32) -> Data {
        func bytes(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
        let header = bytes(width) + bytes(height) + Data([8, 2, 0, 0, 0])
        let chunks: [Data] = [
            .pngChunk("IHDR", header), .pngChunk("IDAT", Data(repeating: 0, count: 8000)),
            .pngChunk("IEND", []),
        ]
        return chunks.reduce(Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), +)
    }

    /// A GIF with frames without pixels (GIF89a, sections 18 to 27).
    private static func gifWithoutPixels(side: UInt16, frames: Int) -> Data {
        let size = withUnsafeBytes(of: side.littleEndian) { Data($0) }
        let control = Data([0x21, 0xF9, 4, 0, 2, 0, 0, 0])
        // A clear code and the end code, of three bits each.
        let frame = Data([0x2C, 0, 0, 0, 0]) + size + size + [0, 2, 1, 0b10_1100, 0]
        return Data("GIF89a".utf8) + size + size + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
            + (0..<frames).reduce(into: Data()) { data, _ in data += control + frame } + [0x3B]
    }
}
