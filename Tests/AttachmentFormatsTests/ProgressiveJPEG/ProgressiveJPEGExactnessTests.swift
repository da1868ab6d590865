import Foundation
import SampleMedia
import Testing

/// Compares the stream with the file, both fully decoded by libjpeg-turbo.
@Suite("Progressive JPEG transcoded row by row is exact", .timeLimit(.minutes(3)))
struct ProgressiveJPEGExactnessTests {
    /// Scan scripts for `cjpeg -scans`; those named `sequential` are not progressive.
    private static let scripts = [
        "refined": """
        0,1,2: 0-0, 0, 1; 0: 1-5, 0, 2; 2: 1-63, 0, 1; 1: 1-63, 0, 1; 0: 6-63, 0, 2;
        0: 1-63, 2, 1; 0,1,2: 0-0, 1, 0; 2: 1-63, 1, 0; 1: 1-63, 1, 0; 0: 1-63, 1, 0;
        """,
        "deep": """
        0: 0-0, 0, 3; 1: 0-0, 0, 2; 2: 0-0, 0, 1;
        0: 1-4, 0, 3; 0: 5-40, 0, 3; 0: 41-63, 0, 3; 1: 1-63, 0, 3; 2: 1-63, 0, 3;
        0: 0-0, 3, 2; 0: 0-0, 2, 1; 1: 0-0, 2, 1; 0,1,2: 0-0, 1, 0;
        0: 1-63, 3, 2; 0: 1-63, 2, 1; 0: 1-63, 1, 0; 1: 1-63, 3, 2; 1: 1-63, 2, 1;
        1: 1-63, 1, 0; 2: 1-63, 3, 2; 2: 1-63, 2, 1; 2: 1-63, 1, 0;
        """,
        "bands": """
        0,1,2: 0-0, 0, 0; 0: 1-1, 0, 0; 1: 1-1, 0, 0; 2: 1-1, 0, 0; 0: 2-9, 0, 0;
        1: 2-9, 0, 0; 2: 2-9, 0, 0; 0: 10-63, 0, 0; 1: 10-63, 0, 0; 2: 10-63, 0, 0;
        """,
        "pair": """
        0: 0-0, 0, 0; 1,2: 0-0, 0, 1; 0: 1-63, 0, 0; 1: 1-63, 0, 0; 2: 1-63, 0, 0;
        1,2: 0-0, 1, 0;
        """,
        "sequential-3": "0; 1; 2;",
        "sequential-2": "0; 1,2;",
        "sequential-across": "0,2; 1;",
        "grey": "0: 0-0, 0, 2; 0: 1-63, 0, 1; 0: 0-0, 2, 1; 0: 0-0, 1, 0; 0: 1-63, 1, 0;",
    ]

    private static let samplings = [
        "1x1", "2x1", "1x2", "2x2", "4x1", "1x4", "4x2", "2x4", "3x1", "1x3", "3x2",
        "2x1,1x1,2x1", "1x1,2x2,1x1", "2x2,2x1,1x2", "3x1,1x1,3x1",
    ]

    private static let sizes = [(1, 1), (17, 1), (1, 33), (16, 16), (33, 47), (131, 67), (61, 129)]

    @Test("Every sampling, scan script, restart interval and size, at every scale")
    func matrix() throws {
        let workshop = try JPEGWorkshop()
        for (name, script) in Self.scripts {
            try workshop.write(Array(script.utf8), to: name)
        }
        for (width, height) in Self.sizes {
            for bands in [1, 3] {
                try workshop.makePicture(
                    "\(bands)-\(width)x\(height)", width: width, height: height, bands: bands)
            }
        }
        var commands: [String] = []
        var files: [String] = []
        var divisors: [String: [Int]] = [:]
        func add(_ options: String, bands: Int) {
            let number = files.count
            let (width, height) = Self.sizes[number % Self.sizes.count]
            let quality = [75, 3, 100, 30, 90][number % 5]
            let restart = ["", "-restart 1B", "", "-restart 7B", "-restart 1"][number / 3 % 5]
            files.append("\(number).jpg")
            // Pillow does not scale below one sample.
            divisors["\(number).jpg"] = [1, 2, 4, 8].filter { $0 <= min(width, height) }
            commands.append(
                "cjpeg -quality \(quality) \(options) \(restart) -outfile \(number).jpg "
                    + "\(bands)-\(width)x\(height)")
        }
        for sampling in Self.samplings {
            for script in Self.scripts.keys.sorted() where script != "grey" {
                for colours in ["", script.hasPrefix("sequential") ? "-optimize" : "-rgb"] {
                    add("-sample \(sampling) -scans \(script) \(colours)", bands: 3)
                }
            }
            for _ in 0..<3 { add("-sample \(sampling) -progressive", bands: 3) }
        }
        for options in ["-progressive", "-scans grey", "-progressive -sample 2x2"] {
            for _ in 0..<7 { add(options, bands: 1) }
        }
        try workshop.shell(commands)
        files += try makeInks(workshop)
        let compared = try compare(files, divisors, in: workshop)
        #expect(compared > 1000)
    }

    @Test(
        "The progressive pictures of the corpus",
        .enabled(if: Corpus.isAvailable, "no corpus: set THIMBLE_CORPUS to its folder"))
    func corpus() throws {
        let workshop = try JPEGWorkshop()
        let files = try Corpus.progressiveJPEGs()
        #expect(files.count >= 10)
        for (number, file) in files.enumerated() {
            try FileManager.default.copyItem(atPath: file, toPath: workshop.path("\(number).jpg"))
        }
        let compared = try compare(files.indices.map { "\($0).jpg" }, [:], in: workshop)
        #expect(compared == 5 * files.count)
    }

    /// Images of four components, which `cjpeg` does not write.
    private func makeInks(_ workshop: JPEGWorkshop) throws -> [String] {
        try workshop.run(
            "/usr/bin/python3",
            [
                "-c",
                """
                from PIL import Image
                for size in ((61, 129), (33, 47), (131, 67)):
                    image = Image.open('3-%dx%d' % size).convert('CMYK')
                    for subsampling in (0, 1, 2):
                        for quality in (20, 95):
                            image.save('inks-%d-%d-%d.jpg' % (size[0], subsampling, quality),
                                'JPEG', quality=quality, progressive=True, subsampling=subsampling)
                """,
            ])
        return [33, 61, 131].flatMap { width in
            (0...2).flatMap { chroma in
                [20, 95].map { "inks-\(width)-\(chroma)-\($0).jpg" }
            }
        }
    }

    /// Compares the stream for each divisor with the file at that scale, and the full-scale stream
    /// at one other scale.
    private func compare(
        _ files: [String], _ divisors: [String: [Int]], in workshop: JPEGWorkshop
    ) throws -> Int {
        var pairs: [(String, String, Int)] = []
        for (number, file) in files.enumerated() {
            let bytes = try workshop.read(file)
            let divisors = divisors[file] ?? [1, 2, 4, 8]
            for divisor in divisors {
                let stream = "\(file).\(divisor)"
                try workshop.write(transcode(bytes, loadShrink: divisor), to: stream)
                pairs.append((file, stream, divisor))
            }
            pairs.append((file, file + ".1", divisors[number % divisors.count]))
        }
        let (lines, compared) = try workshop.differences(pairs)
        #expect(lines == [])
        #expect(compared == pairs.count)
        return compared
    }
}

extension Corpus {
    /// JPEGs whose first frame header is SOF2.
    fileprivate static func progressiveJPEGs() throws -> [String] {
        try files("jpg", "jpeg").filter { path in
            let bytes = Array(try Data(contentsOf: URL(filePath: path)))
            var next = 2
            while next + 3 < bytes.count, bytes[next] == 0xFF {
                if (0xC0...0xC3).contains(bytes[next + 1]) { return bytes[next + 1] == 0xC2 }
                next += 2 + (Int(bytes[next + 2]) << 8 | Int(bytes[next + 3]))
            }
            return false
        }
    }
}
