import AttachmentFormats
import Foundation
import SampleMedia
import Testing

@Suite("Lossy WebP of the corpus", .timeLimit(.minutes(1)))
struct LossyWebPCorpusTests {
    @Test(
        "Every supported file is exact, full size and scaled",
        .enabled(if: Corpus.isAvailable, "no corpus: set THIMBLE_CORPUS to its folder"))
    func exactness() throws {
        let reference = try LossyWebPReference()
        var exact = 0
        for path in Corpus.files("webp") {
            let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
            try reference.tools.write(file, to: "a.webp")
            try reference.tools.run(["dwebp -quiet a.webp -pam -o a.pam || true"])
            // dwebp does not read animations.
            let whole = (try? reference.tools.read("a.pam"))
                .flatMap { try? WebPSamples(netpbm: $0) }
            try? FileManager.default.removeItem(atPath: reference.tools.folder + "a.pam")
            let (width, height) = (whole?.width ?? 1, whole?.height ?? 1)
            do {
                let rows = try WebPSamples(lossy: file, width: width, height: height)
                let whole = try #require(whole, "\(path)")
                #expect(rows.withAlpha.difference(from: whole) == nil, "\(path)")
                exact += 1
                guard rows.bands == 3 else { continue }
                try reference.compare(
                    [file],
                    [
                        .init(
                            width: width, height: height,
                            scaled: ((width + 2) / 3, (height + 2) / 3))
                    ])
            } catch let error as DecodingFault {
                #expect(error.code == .unsupported, "\(path): \(error)")
            }
        }
        #expect(exact > 0)
    }
}
