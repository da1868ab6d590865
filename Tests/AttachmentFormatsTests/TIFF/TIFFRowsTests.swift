import AttachmentFormats
import Foundation
import SampleMedia
import Testing

@Suite("TIFF, row by row", .timeLimit(.minutes(2)))
struct TIFFRowsTests {
    @Test("Every pixel of every kind equals libvips", arguments: [false, true])
    func matrix(isTolerant: Bool) throws {
        #expect(TIFFSamples.names.count > 1000)
        var differing: [String] = []
        for line in TIFFSamples.names {
            let sample = try TIFFSamples.sample(line)
            let file = try TemporaryBytes(sample.bytes)
            do {
                let decoded = try decodeTIFF(
                    file, length: sample.bytes.count, isTolerant: isTolerant)
                var layout = sample.layout
                layout.isCMYK = decoded.layout.isCMYK
                if decoded.layout != layout || decoded.pixels != sample.pixels {
                    differing.append(sample.name)
                }
            } catch {
                differing.append("\(sample.name): \(error)")
            }
        }
        #expect(differing == [])
    }

    @Test(
        "Pictures of the corpus equal libvips",
        .enabled(if: Corpus.isAvailable, "no corpus: set THIMBLE_CORPUS to its folder")
    )
    func corpus() throws {
        for name in ["libvips__sample.tif", "sharp__fogra-0-100-100-0.tif"] {
            let path = Corpus.path(name)
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let raw = NSTemporaryDirectory() + "thimble-\(UUID().uuidString).raw"
            defer { unlink(raw) }
            _ = try TIFFSamples.output(of: "/usr/bin/vips", "rawsave", path, raw)
            let decoded = try decodeTIFF(TemporaryBytes(bytes), length: bytes.count)
            #expect(decoded.pixels == [UInt8](try Data(contentsOf: URL(filePath: raw))))
            #expect(decoded.layout.isCMYK == name.contains("fogra"))
            #expect((decoded.profile?.count ?? 0) == (name.contains("fogra") ? 654_352 : 0))
        }
        // Old-style JPEG of TIFF 6.0.
        let path = Corpus.path("libvips__ojpeg-strip.tif")
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let fault = #expect(throws: DecodingFault.self) {
            try decodeTIFF(TemporaryBytes(bytes), length: bytes.count)
        }
        #expect(fault?.code == .unsupported)
    }

    @Test("Files that only libvips decodes are unsupported before the first row")
    func refusals() throws {
        let files = try TIFFSamples.files("refused-")
        #expect(files.count > 20)
        for name in files {
            let bytes = try TIFFSamples.read(name)
            let file = try TemporaryBytes(bytes)
            let fault = #expect(throws: DecodingFault.self, "\(name)") {
                try TIFFRows(
                    file.openFile,
                    scratch: ScratchSpace(folder: tiffScratchFolder, ceiling: 1 << 20),
                    isTolerant: true)
            }
            #expect(fault?.code == .unsupported, "\(name): \(String(describing: fault))")
        }
    }

    @Test("The profile is returned unchanged")
    func profile() throws {
        let line = try #require(TIFFSamples.names.first { $0.hasPrefix("1500x400") })
        let sample = try TIFFSamples.sample(line)
        let decoded = try decodeTIFF(TemporaryBytes(sample.bytes), length: sample.bytes.count)
        #expect(decoded.profile == (0..<200).map { UInt8($0) })
    }

    @Test("Large tiles lie in scratch files, which are removed with the rows")
    func scratch() throws {
        let line = try #require(TIFFSamples.names.first { $0.hasPrefix("1500x400-3-8-9 ") })
        let sample = try TIFFSamples.sample(line)
        let file = try TemporaryBytes(sample.bytes)
        let space = ScratchSpace(folder: tiffScratchFolder, ceiling: 64 << 20)
        do {
            let rows = try TIFFRows(
                file.openFile, scratch: space,
                isTolerant: false)
            // Three tiles of 512 × 512 pixels.
            #expect(space.liveBytes >= 3 * 512 * 512 * 3)
            _ = rows.layout
        }
        #expect(space.liveBytes == 0)
    }

    @Test("Too little scratch space is a fault, and so is a row after the last")
    func faults() throws {
        let line = try #require(TIFFSamples.names.first { $0.hasPrefix("1500x400-3-8-9 ") })
        let sample = try TIFFSamples.sample(line)
        let file = try TemporaryBytes(sample.bytes)
        let fault = #expect(throws: DecodingFault.self) {
            try decodeTIFF(
                file, length: sample.bytes.count,
                scratch: ScratchSpace(folder: tiffScratchFolder, ceiling: 1 << 20))
        }
        #expect(fault?.code == .scratchLimit)

        let small = try TIFFSamples.sample("1x1-1-8-0 1 1 1 1")
        let smallFile = try TemporaryBytes(small.bytes)
        let rows = try TIFFRows(
            smallFile.openFile,
            scratch: ScratchSpace(folder: tiffScratchFolder, ceiling: 0), isTolerant: false)
        var pixel: UInt8 = 0
        try withUnsafeMutableBytes(of: &pixel) { try rows.readRow(into: $0) }
        #expect([pixel] == small.pixels)
        #expect(throws: DecodingFault.self) {
            try withUnsafeMutableBytes(of: &pixel) { try rows.readRow(into: $0) }
        }
    }
}
