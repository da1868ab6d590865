import AttachmentContainer
import AttachmentFormats
@testable import AttachmentPipeline
@testable import AttachmentVips
import Foundation
import Testing

@Suite("Pictures generated row by row", .timeLimit(.minutes(1)))
struct RowTests {
    /// Samples that encode their position.
    private static func samples(_ size: PixelSize, bands: Int) -> [UInt8] {
        (0..<size.height).flatMap { y in
            (0..<size.width * bands).map { UInt8(truncatingIfNeeded: 7 * y + $0) }
        }
    }

    private static func rows(
        of samples: [UInt8], _ size: PixelSize, bands: Int, failingAt last: Int = .max
    ) throws -> VipsImage {
        var y = 0
        return try .rows(
            size: size, bands: bands, isDeep: false, colours: bands < 3 ? .grey : .rgb,
            profile: [1, 2, 3]
        ) { row throws(DecodingFault) in
            guard y < last else { throw DecodingFault(.corrupt, at: y, "the row is damaged") }
            row.copyBytes(from: samples[y * row.count..<(y + 1) * row.count])
            y += 1
        }
    }

    @Test("The pixels equal the rows", arguments: [1, 2, 3, 4])
    func pixels(bands: Int) throws {
        let size = PixelSize(width: 37, height: 53)
        let samples = Self.samples(size, bands: bands)
        let image = try Self.rows(of: samples, size, bands: bands)
        #expect(image.size == size && image.bands == bands && image.hasAlpha == (bands % 2 == 0))
        #expect(image.profile == [1, 2, 3])
        #expect(try image.samples() == samples)
    }

    @Test("A failed row makes the computation fail")
    func failing() throws {
        let size = PixelSize(width: 37, height: 53)
        let image = try Self.rows(
            of: Self.samples(size, bands: 3), size, bands: 3, failingAt: 20)
        let error = #expect(throws: VipsError.self) { try image.samples() }
        #expect(error?.fault?.offset == 20)
        let graph = try image.applying("copy")
        #expect(graph.fault === image.fault, "a graph knows the decoder that it computes from")
    }

    @Test("Each row is passed once, in order")
    func handingOver() throws {
        let size = PixelSize(width: 37, height: 53)
        let samples = Self.samples(size, bands: 3)
        let image = try Self.rows(of: samples, size, bands: 3)
        var read: [UInt8] = []
        try image.forEachRow { read += $0 }
        #expect(read == samples)
    }

    @Test(
        "A stream is read to its end, regardless of the size of the pieces",
        arguments: [1, 10, 4096, 1 << 20])
    func stream(piece: Int) throws {
        let picture = VipsFixture.gradient(PixelSize(width: 61, height: 47))
        let png = try TemporaryFolder.with { folder in
            let file = folder.appending(path: "picture")
            try picture.write(to: file, with: "pngsave_target")
            return try [UInt8](Data(contentsOf: file))
        }
        var offset = 0
        let input = try VipsInput { buffer in
            let count = min(piece, buffer.count, png.count - offset)
            buffer.copyBytes(from: png[offset..<offset + count])
            offset += count
            return count
        }
        #expect(try VipsImage.open(input, with: .png).samples() == picture.samples())
    }
}
