import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

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
        for (before, end) in [
            (Self.comment, [0x3B]), (Self.application, Self.comment + [0x3B]), (Self.text, [0x3B]),
            ([], [0x3B, 1, 2, 3]),
        ] as [([UInt8], [UInt8])] {
            var gif = StillGIF()
            gif.blocks = before + Self.control
            gif.end = end
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
