import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

/// A GIF of 2×2 pixels, of which each block can be replaced.
private struct StillGIF {
    var screen: [UInt8] = [2, 0, 2, 0]
    /// Blocks before the picture.
    var blocks: [UInt8] = []
    /// Indices 0, 1, 1, 0 between a clear and an end code of three bits.
    var data: [UInt8] = [2, 3, 0x44, 0x02, 0x05, 0]
    /// Trailer and what follows it.
    var end: [UInt8] = [0x3B]

    var bytes: Data {
        let palette: [UInt8] = [255, 0, 0, 0, 0, 255, 0, 255, 0, 255, 255, 255]
        let descriptor: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0]
        let parts = [
            Array("GIF89a".utf8), screen, [0x81, 0, 0], palette, blocks, descriptor, data, end,
        ]
        return Data(parts.joined())
    }
}

@Suite("Still GIFs that fit", .timeLimit(.minutes(1)))
struct KeptGIFTests {
    private static let comment: [UInt8] = [0x21, 0xFE, 3, 0x61, 0x62, 0x63, 0]
    private static let application: [UInt8] =
        [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + [1, 0x61, 0]
    private static let text: [UInt8] =
        [0x21, 0x01, 12] + [UInt8](repeating: 0, count: 12) + [1, 0x61, 0]
    private static let control: [UInt8] = [0x21, 0xF9, 4, 0, 0, 0, 0, 0]

    @Test("One without metadata is kept, byte by byte")
    func kept() async throws {
        for blocks in [[], Self.control] {
            var gif = StillGIF()
            gif.blocks = blocks
            let (notes, bytes) = try await expanded(of: gif)
            #expect(notes == ["kept as it was"])
            #expect(bytes == gif.bytes)
        }
    }

    @Test("Comments, text, application data and bytes after the end are removed")
    func stripped() async throws {
        var plain = StillGIF()
        plain.blocks = Self.control
        for (before, after) in [
            (Self.comment, []), (Self.application, Self.comment), (Self.text, []), ([], [1, 2, 3]),
        ] as [([UInt8], [UInt8])] {
            var gif = StillGIF()
            gif.blocks = before + Self.control
            gif.end = (after.count > 3 ? after : []) + [0x3B] + (after.count > 3 ? [] : after)
            let (notes, bytes) = try await expanded(of: gif)
            #expect(notes == ["kept without its metadata"])
            #expect(bytes == plain.bytes)
        }
    }

    @Test("One that stricter decoders refuse, or show on another canvas, is encoded")
    func encoded() async throws {
        var unended = StillGIF()
        unended.end = []
        var padded = StillGIF()
        padded.end = [0, 0x3B]
        var commented = padded
        commented.blocks = Self.comment
        var smaller = StillGIF()
        smaller.screen = [1, 0, 1, 0]
        var larger = StillGIF()
        larger.screen = [3, 0, 2, 0]
        for gif in [unended, padded, commented, smaller, larger] {
            let (notes, bytes) = try await expanded(of: gif)
            #expect(!notes.contains { $0.hasPrefix("kept") })
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }

    private func expanded(of gif: StillGIF) async throws -> (notes: [String], bytes: Data) {
        try await ProcessorFixture.with { fixture in
            try gif.bytes.write(to: fixture.url("in.gif"))
            let manifest = try await fixture.process("in.gif").manifest
            return (manifest.notes, try fixture.bytes(.expanded, of: manifest))
        }
    }
}
