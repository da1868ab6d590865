import AttachmentFormats
import Foundation
import Randomness
import Testing

@Suite("Alpha planes of lossy WebP", .timeLimit(.minutes(2)))
struct WebPAlphaTests {
    /// Compares the decoded rows with dwebp's.
    private func compare(_ files: [[UInt8]], _ tools: WebPTools) throws {
        for (index, file) in files.enumerated() {
            try tools.write(file, to: "\(index).webp")
        }
        try tools.run(
            files.indices.map { index in
                "dwebp -quiet \(index).webp -alpha -o \(index).pgm"
            })
        for (index, file) in files.enumerated() {
            let reference = try WebPSamples(netpbm: tools.read("\(index).pgm"))
            let difference = try WebPSamples(alphaOf: file).difference(from: reference)
            #expect(difference == nil, "file \(index)")
        }
    }

    /// Lossy files with alpha from cwebp.
    private func encoded(
        _ options: [String], _ tools: WebPTools, width: Int = 47, height: Int = 35
    ) throws -> [[UInt8]] {
        let kinds: [WebPTestPicture] = [.photograph, .drawing, .noise, .palette, .twoColours]
        for (index, _) in options.enumerated() {
            let picture = kinds[index % kinds.count].samples(
                width: width + index % 3, height: height + index % 2, bands: 4, seed: index)
            try tools.write(picture.netpbm, to: "\(index).pam")
        }
        try tools.run(
            options.enumerated().map { "cwebp -quiet \($1) \($0).pam -o \($0).webp" })
        return try options.indices.map { try tools.read("\($0).webp") }
    }

    @Test("Every compression of alpha by the encoder is exact")
    func encoder() throws {
        let tools = try WebPTools()
        var options: [String] = []
        for method in 0...1 {
            for filter in ["none", "fast", "best"] {
                for effort in [0, 3, 4, 6] {
                    for quality in [100, 50, 0] {
                        options.append(
                            "-m \(effort) -alpha_method \(method) -alpha_filter \(filter)"
                                + " -alpha_q \(quality)")
                    }
                }
            }
        }
        try compare(try encoded(options, tools), tools)
    }

    @Test("Every filter is reversed, compressed and uncompressed, at every small size")
    func filters() throws {
        let tools = try WebPTools()
        var files: [[UInt8]] = []
        for (width, height) in [(1, 1), (1, 9), (9, 1), (2, 2), (7, 5), (33, 21)] {
            let opaque = try encoded([""], tools, width: width, height: height)[0]
            let picture = try #require(WebPFileWriter.data("VP8 ", of: opaque))
            for filter in 0...3 {
                var dice = SplitMix64(seed: UInt64(filter + width))
                let plain = (0..<width * height).map { _ in UInt8(dice.roll(0...255)) }
                var recipe = StreamWriter.Recipe(width: width, height: height)
                recipe.isGrey = true
                recipe.transforms = [[], [0], [3], [0, 3]][filter]
                recipe.colours = [2, 5, 17, 256][(filter + width) % 4]
                let compressed = StreamWriter.plane(recipe, seed: filter + height)
                let header = UInt8(filter << 2)
                for plane in [[header] + plain, [header | 1] + compressed] {
                    files.append(
                        WebPFileWriter.file(
                            WebPFileWriter.features(0x10, width: width, height: height),
                            WebPFileWriter.chunk("ALPH", plane),
                            WebPFileWriter.chunk("VP8 ", picture)))
                }
            }
        }
        try compare(files, tools)
    }

    @Test("A plane is found among other chunks")
    func amongChunks() throws {
        let tools = try WebPTools()
        let file = try encoded(["-alpha_q 100"], tools)[0]
        let plane = try #require(WebPFileWriter.data("ALPH", of: file))
        let picture = try #require(WebPFileWriter.data("VP8 ", of: file))
        let profile = (0..<301).map { UInt8(truncatingIfNeeded: $0) }
        let whole = WebPFileWriter.file(
            WebPFileWriter.features(0x38, width: 47, height: 35),
            WebPFileWriter.chunk("ICCP", profile), WebPFileWriter.chunk("ALPH", plane),
            WebPFileWriter.chunk("VP8 ", picture), WebPFileWriter.chunk("EXIF", [1, 2, 3]))
        try compare([whole], tools)
    }

    @Test("A truncated plane is a fault, or opaque from there on in tolerant mode")
    func truncated() throws {
        let tools = try WebPTools()
        let file = try encoded(["-alpha_method 0 -alpha_filter none -alpha_q 100"], tools)[0]
        let plane = try #require(WebPFileWriter.data("ALPH", of: file))
        let picture = try #require(WebPFileWriter.data("VP8 ", of: file))
        let cut = WebPFileWriter.file(
            WebPFileWriter.features(0x10, width: 47, height: 35),
            WebPFileWriter.chunk("ALPH", Array(plane.prefix(1 + 47 * 10 + 5))),
            WebPFileWriter.chunk("VP8 ", picture))
        #expect(throws: DecodingFault.self) { try WebPSamples(alphaOf: cut) }
        let rows = try WebPSamples(alphaOf: cut, isTolerant: true)
        let whole = try WebPSamples(alphaOf: file)
        #expect(rows.values.prefix(47 * 10) == whole.values.prefix(47 * 10))
        #expect(rows.values.dropFirst(47 * 10).allSatisfy { $0 == 255 })
    }
}
