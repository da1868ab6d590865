import AttachmentContainer
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@testable import AttachmentWorker

/// Files that need more memory than their headers suggest.
@Suite("Hostile pictures stay under a real cap", .serialized, .timeLimit(.minutes(5)))
struct HostilePictureTests {
    private static let caps = [MemoryCap.legacyServiceExtension, .serviceExtension]
    private static let enforcements = Enforcement.available.filter { $0 != .monitor }

    @Test("20 MB of empty deflate blocks in a PNG of 100 × 100 pixels", arguments: [false, true])
    func emptyBlocks(isInterlaced: Bool) async throws {
        try await PoolFixture.with { fixture in
            let url = fixture.folder.appending(path: "empty.png")
            try PaddedPNG.write(interlaced: isInterlaced, padding: 20 << 20, to: url)
            for (cap, enforcement) in Self.pairs {
                let code = try await Self.check(url.path, cap, enforcement, fixture)
                #expect(code == .decoderLimit)
            }
        }
    }

    @Test(
        "The library's decoder for interlaced PNG is refused if it would buffer 20 MB of the file")
    func emptyBlocksByLibrary() async throws {
        try await PoolFixture.with { fixture in
            let url = fixture.folder.appending(path: "empty.png")
            try PaddedPNG.write(interlaced: true, padding: 20 << 20, to: url)
            for (cap, enforcement) in Self.pairs {
                try await fixture.withPool(cap: cap, by: enforcement, decoder: .library) { pool in
                    #expect(await fixture.error(of: pool, url.path)?.code == .overCap)
                    #expect(pool.statistics.lost == 0)
                }
            }
        }
    }

    @Test("20 MB of empty deflate blocks in an APNG frame")
    func emptyBlocksInFrame() async throws {
        try await PoolFixture.with { fixture in
            let url = fixture.folder.appending(path: "frame.png")
            try PaddedPNG.writeAnimation(padding: 20 << 20, to: url)
            for (cap, enforcement) in Self.pairs {
                _ = try await Self.check(url.path, cap, enforcement, fixture)
            }
        }
    }

    @Test(
        "GIF and animated WebP of odd sizes, in strict and tolerant mode", arguments: [false, true])
    func foreign(isTolerant: Bool) async throws {
        for name in [
            "gif/gif-cap-breach.gif", "gif/tallgif.gif", "webp/webp-anim-cap-breach.webp",
            "gif/wide-65535x1.gif",
        ] {
            let path = ForeignFile.picture(name).path
            for (cap, enforcement) in Self.pairs {
                // A container each, to prevent reuse of results.
                try await PoolFixture.with { fixture in
                    let code = try await Self.check(
                        path, cap, enforcement, fixture, isTolerant: isTolerant)
                    if name.hasPrefix("webp") || name.contains("wide") { #expect(code == nil) }
                    if isTolerant, cap == .serviceExtension { #expect(code == nil) }
                }
            }
        }
    }

    private static var pairs: [(MemoryCap, Enforcement)] {
        caps.flatMap { cap in enforcements.map { (cap, $0) } }
    }

    /// Processes a file and checks that it is made as predicted or refused, without losing a
    /// worker.
    private static func check(
        _ path: String, _ cap: MemoryCap, _ enforcement: Enforcement, _ fixture: PoolFixture,
        isTolerant: Bool = false
    ) async throws -> AttachmentError.Code? {
        try await fixture.withPool(cap: cap, by: enforcement, isTolerant: isTolerant) { pool in
            var code: AttachmentError.Code?
            do throws(AttachmentError) {
                let identifier = "\(cap) \(enforcement)"
                let done = try await pool.process(path, identifier: identifier)
                if done.work == .made {
                    let (measured, predicted) = (
                        done.memory.measuredPeak, done.memory.predictedPeak ?? ByteCount(0)
                    )
                    #expect(measured <= predicted, "\(path) under \(cap), \(enforcement)")
                    #expect(measured <= cap.footprint)
                }
            } catch {
                code = error.code
            }
            #expect(code != .killed)
            #expect(pool.statistics.lost == 0, "\(path) under \(cap), \(enforcement)")
            return code
        }
    }
}

/// A grey PNG of 100 × 100 pixels whose image data starts with empty deflate blocks.
enum PaddedPNG {
    static func write(interlaced: Bool, padding: Int, to url: URL) throws {
        // 100 rows. Adam7 has more, each with a filter byte (PNG specification, 8.1).
        let rows = interlaced ? 13 + 13 + 12 + 25 + 25 + 50 + 50 : 100
        let stream = stream(of: 100 * 100 + rows, padding: padding)
        try
            (LargePicture.start(100, 100, interlaced: interlaced)
            + LargePicture.chunk("IDAT", stream) + LargePicture.chunk("IEND", Data()))
            .write(to: url)
    }

    /// Writes an animation of two frames, the second one padded.
    static func writeAnimation(padding: Int, to url: URL) throws {
        func control(_ sequence: Int) -> Data {
            LargePicture.chunk(
                "fcTL",
                [sequence, 100, 100, 0, 0].reduce(Data()) { $0 + LargePicture.number($1) }
                    + [0, 1, 0, 10, 0, 0])
        }
        let bytes = 100 * 101
        var file = LargePicture.start(100, 100, interlaced: false)
        file += LargePicture.chunk("acTL", LargePicture.number(2) + LargePicture.number(0))
        file += control(0) + LargePicture.chunk("IDAT", stream(of: bytes, padding: 0))
        file += control(1)
        file += LargePicture.chunk(
            "fdAT", LargePicture.number(2) + stream(of: bytes, padding: padding))
        try (file + LargePicture.chunk("IEND", Data())).write(to: url)
    }

    /// Zeros in a stored block (RFC 1951, 3.2.4) after empty blocks.
    private static func stream(of count: Int, padding: Int) -> Data {
        var stream = Data([0x78, 0x01])
        let empty = Data([0, 0, 0, 0xFF, 0xFF])
        var block = Data()
        for _ in 0..<4096 { block += empty }
        for _ in 0..<padding / block.count { stream += block }
        // The last block: its length and the complement of that.
        let length = UInt16(count)
        stream.append(1)
        for part in [length, ~length] {
            stream.append(UInt8(truncatingIfNeeded: part))
            stream.append(UInt8(part >> 8))
        }
        return stream + Data(count: count)
            + LargePicture.number((count % 65_521) << 16 | 1)
    }
}
