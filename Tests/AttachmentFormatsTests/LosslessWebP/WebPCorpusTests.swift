import AttachmentFormats
import Foundation
import Testing

/// Folder of real pictures outside the package: `THIMBLE_CORPUS`, or a default next to the package.
enum WebPCorpus {
    static let folder =
        ProcessInfo.processInfo.environment["THIMBLE_CORPUS"]
        ?? URL(filePath: #filePath).appending(path: "../../../../../shared/corpus")
        .standardizedFileURL.path

    static let files: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".webp") }.sorted()
}

@Suite("WebP of the corpus", .timeLimit(.minutes(1)))
struct WebPCorpusTests {
    @Test(
        "Every supported file is exact",
        .enabled(if: !WebPCorpus.files.isEmpty, "There is no corpus beside the package"))
    func exactness() throws {
        let tools = try WebPTools()
        var exact = 0
        for name in WebPCorpus.files {
            let file = [UInt8](
                try Data(contentsOf: URL(filePath: WebPCorpus.folder + "/" + name)))
            try tools.write(file, to: "a.webp")
            do {
                let rows = try WebPSamples(lossless: file)
                try tools.run(["dwebp -quiet a.webp -\(rows.bands == 3 ? "ppm" : "pam") -o a.out"])
                let reference = try WebPSamples(netpbm: tools.read("a.out"))
                let difference = rows.difference(from: reference)
                #expect(difference == nil, "\(name)")
                exact += 1
            } catch let error as DecodingFault {
                #expect(error.code == .unsupported, "\(name): \(error)")
            }
            do {
                let rows = try WebPSamples(alphaOf: file)
                try tools.run(["dwebp -quiet a.webp -alpha -o a.pgm"])
                let reference = try WebPSamples(netpbm: tools.read("a.pgm"))
                let difference = rows.difference(from: reference)
                #expect(difference == nil, "\(name)")
                exact += 1
            } catch let error as DecodingFault {
                #expect(error.code == .unsupported, "\(name): \(error)")
            }
        }
        #expect(exact > 0)
    }
}
