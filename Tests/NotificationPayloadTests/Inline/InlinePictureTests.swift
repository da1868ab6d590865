import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import NotificationPayload
import Testing

@Suite("Inline pictures", .timeLimit(.minutes(1)))
struct InlinePictureTests {
    @Test("A golden text makes its golden file", arguments: GoldenPicture.all)
    func goldenFile(_ golden: GoldenPicture) throws {
        #expect(try golden.picture.file == golden.file)
    }

    @Test("A picture comes back as the same text", arguments: GoldenPicture.all)
    func goldenText(_ golden: GoldenPicture) throws {
        let picture = try golden.picture
        #expect(picture.text == (try golden.text))
        #expect(try InlinePicture(bytes: picture.bytes) == picture)
        #expect(try InlinePicture(temporalUnit: picture.temporalUnit) == picture)
    }

    @Test("The header of four bytes tells version, coding, width and height")
    func header() throws {
        let halved = try GoldenPicture(name: "chroma-420").picture
        #expect(halved.bytes.prefix(4) == [1, 0b0000110, 94, 63])
        #expect((halved.width, halved.height) == (95, 64))
        #expect(!halved.coding.contains(.fullChroma))
        let full = try GoldenPicture(name: "chroma-444").picture
        #expect(full.bytes[1] == 0b0100110)
        #expect(full.coding.contains(.fullChroma))
    }

    @Test("A file of this size has 291 bytes more than the frame", arguments: GoldenPicture.all)
    func headers(_ golden: GoldenPicture) throws {
        let picture = try golden.picture
        #expect(picture.file.count - picture.frame.count == 291)
    }

    @Test("The decoder for files of strangers shows each golden file", arguments: GoldenPicture.all)
    func decoding(_ golden: GoldenPicture) throws {
        let rows = try Decoded(golden.picture.file)
        #expect((rows.width, rows.height) == (95, 64))
        // The drawing has a yellow field below a red disc.
        #expect(rows.isClose(to: [250, 240, 90], x: 75, y: 45))
        #expect(rows.isClose(to: [230, 60, 40], x: 40, y: 25))
    }

    @Test("The rebuilt file of another encoder decodes to the pixels of its own")
    func otherEncoder() throws {
        let whole = try GoldenPicture.bytes("rav1e-whole.avif")
        let mark = try #require(Data(whole).range(of: Data("mdat".utf8)))
        let picture = try InlinePicture(temporalUnit: whole[mark.upperBound...])
        #expect(picture == (try GoldenPicture(name: "rav1e").picture))
        #expect(picture.coding.contains(.separateChromaQuantisers))
        #expect(try Decoded(picture.file).samples == Decoded(whole).samples)
    }

    @Test("Texts of every length keep their bytes, without padding or characters to escape")
    func text() throws {
        let golden = try GoldenPicture(name: "chroma-420").picture
        for length in 300..<306 {
            let picture = try InlinePicture(bytes: golden.bytes.prefix(length))
            let text = picture.text
            #expect(text.utf8.count == (length * 4 + 2) / 3)
            #expect(text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
            #expect(try InlinePicture(text: text) == picture)
        }
    }
}

/// Pixels of a file, by the decoder for HEIF and AVIF.
private struct Decoded {
    let width: Int
    let height: Int
    let samples: [UInt8]

    init(_ bytes: [UInt8]) throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(UUID().uuidString).avif")
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let file = try AttachmentFile(path: url.path)
        let rows = try HEIFRows(
            in: OpenFile(descriptor: file.descriptor, length: file.length.bytes),
            scratch: ScratchSpace(folder: "/var/tmp", ceiling: 1 << 20),
            isTolerant: false, directBytes: HEIFRows.directBytes, isCancelled: { false })
        let layout = rows.layout
        (width, height) = (layout.width, layout.height)
        var samples = [UInt8](repeating: 0, count: layout.rowBytes * layout.height)
        try samples.withUnsafeMutableBytes { samples in
            for y in 0..<layout.height {
                let row = samples[y * layout.rowBytes..<(y + 1) * layout.rowBytes]
                try rows.readRow(into: UnsafeMutableRawBufferPointer(rebasing: row))
            }
        }
        self.samples = samples
    }

    /// True within the error of a low quality.
    func isClose(to colour: [Int], x: Int, y: Int) -> Bool {
        let start = 3 * (y * width + x)
        return zip(samples[start..<start + 3], colour).allSatisfy { abs(Int($0) - $1) < 24 }
    }
}
