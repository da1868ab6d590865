import Foundation
import SampleMedia
import Testing

@Suite("Interlaced PNGs compared with libpng", .timeLimit(.minutes(1)))
struct InterlacedPNGReferenceTests {
    private func compare(_ files: [[UInt8]]) throws {
        let answers = try LibPNG.compare(
            try files.map { (first: $0, second: try rewrite($0)) })
        #expect(answers.count == files.count)
        #expect(answers.filter { !$0.hasPrefix("same ") } == [])
    }

    @Test(
        "Every colour type, depth and filter",
        .enabled(if: LibPNG.isAvailable, "Python is not installed"))
    func matrix() throws {
        var files: [[UInt8]] = []
        for kind in InterlacedSample.Kind.all {
            for (width, height) in [(1, 1), (3, 2), (5, 9), (8, 8), (33, 29), (2, 40), (41, 1)] {
                for filter in 0..<5 as Range<UInt8> {
                    var sample = InterlacedSample(kind: kind, width: width, height: height)
                    sample.filters = .only(filter)
                    sample.chunking = .withEmpty(37)
                    files.append(sample.file)
                }
            }
        }
        try compare(files)
    }

    @Test(
        "Transparency, gamma and background",
        .enabled(if: LibPNG.isAvailable, "Python is not installed"))
    func chunks() throws {
        let chunk = InterlacedSample.chunk
        var files: [[UInt8]] = []
        for kind in InterlacedSample.Kind.all where kind.colourType & 4 == 0 {
            var sample = InterlacedSample(kind: kind, width: 30, height: 20)
            sample.before = chunk("gAMA", [0, 0, 0x80, 0])
            // A transparent colour of two bytes per sample, or a palette's transparency after it.
            let samples = kind.colourType == 2 ? 3 : 1
            let colour = (0..<samples).flatMap { _ in [0, 1] as [UInt8] }
            if kind.colourType == 3 {
                let alpha = chunk("tRNS", [0, 128])
                let file = sample.file
                let head = sample.head
                files.append(head + alpha + file.dropFirst(head.count))
            } else {
                sample.before += chunk("tRNS", colour)
                files.append(sample.file)
            }
        }
        try compare(files)
    }

    @Test(
        "Every interlaced picture of the corpus",
        .enabled(if: LibPNG.isAvailable && Corpus.isAvailable, "no libpng or no corpus"))
    func realPictures() throws {
        let files = try Corpus.files("png", "apng")
            .map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
            .filter { $0.count > 33 && $0.starts(with: InterlacedSample.signature) && $0[28] == 1 }
        #expect(!files.isEmpty)
        try compare(files)
    }
}
