import AttachmentFormats
import Foundation
import SampleMedia
import Testing

@Suite("WebP of the corpus", .timeLimit(.minutes(1)))
struct WebPCorpusTests {
    @Test(
        "Every supported file is exact",
        .enabled(if: Corpus.isAvailable, "no corpus: set THIMBLE_CORPUS to its folder"))
    func exactness() throws {
        let tools = try WebPTools()
        var exact = 0
        for path in Corpus.files("webp") {
            let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
            try tools.write(file, to: "a.webp")
            do {
                let rows = try WebPSamples(lossless: file)
                try tools.run(["dwebp -quiet a.webp -\(rows.bands == 3 ? "ppm" : "pam") -o a.out"])
                let reference = try WebPSamples(netpbm: tools.read("a.out"))
                let difference = rows.difference(from: reference)
                #expect(difference == nil, "\(path)")
                exact += 1
            } catch let error as DecodingFault {
                #expect(error.code == .unsupported, "\(path): \(error)")
            }
            do {
                let rows = try WebPSamples(alphaOf: file)
                try tools.run(["dwebp -quiet a.webp -alpha -o a.pgm"])
                let reference = try WebPSamples(netpbm: tools.read("a.pgm"))
                let difference = rows.difference(from: reference)
                #expect(difference == nil, "\(path)")
                exact += 1
            } catch let error as DecodingFault {
                #expect(error.code == .unsupported, "\(path): \(error)")
            }
        }
        #expect(exact > 0)
    }
}
