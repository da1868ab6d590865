import Foundation
import Testing

@Suite("Lossy WebP compared with dwebp", .timeLimit(.minutes(2)))
struct LossyWebPExactnessTests {
    private typealias Case = LossyWebPReference.Case

    @Test("Every mode of the encoder is exact")
    func encoder() throws {
        var cases: [Case] = []
        let kinds = WebPTestPicture.allCases
        for quality in [0, 20, 50, 75, 90, 100] {
            for (number, method) in [
                "-m 0", "-m 2 -sharp_yuv", "-m 4 -segments 1", "-m 4 -segments 4 -sns 100",
                "-m 6 -pass 3", "-m 3 -f 0", "-m 4 -f 100 -sharpness 7", "-m 4 -nostrong -f 60",
            ].enumerated() {
                cases.append(
                    Case(
                        options: "-q \(quality) \(method)",
                        kind: kinds[(number + quality) % kinds.count],
                        width: 40 + number, height: 50 - number))
            }
        }
        try LossyWebPReference().compare(cases)
    }

    @Test("Small sizes and sizes around multiples of a macroblock are exact")
    func sizes() throws {
        var cases: [Case] = []
        for width in [1, 2, 3, 7, 15, 16, 17, 31, 33, 64, 97] {
            for height in [1, 2, 3, 8, 15, 16, 17, 32, 61] {
                cases.append(
                    Case(options: "-q 80 -m 1", kind: .noise, width: width, height: height))
            }
        }
        try LossyWebPReference().compare(cases)
    }

    @Test("One, two, four and eight partitions are exact, over several reads")
    func partitions() throws {
        let reference = try LossyWebPReference()
        var cases: [Case] = []
        var files: [[UInt8]] = []
        for partitions in 0...3 {
            for scaled in [nil, (width: 120, height: 100)] {
                let made = Case(kind: .noise, width: 331, height: 277, scaled: scaled)
                let picture = made.kind.samples(
                    width: made.width, height: made.height, bands: 3, seed: partitions)
                cases.append(made)
                files.append(try PartitionedWebP.encode(picture, partitions: partitions))
            }
        }
        try reference.compare(files, cases)
    }

    @Test("Scaled images are exact, at any aspect ratio")
    func scaled() throws {
        var cases: [Case] = []
        for (number, size) in [(61, 47), (128, 96), (17, 90), (90, 17)].enumerated() {
            let sides: [(Double, Double)] = [
                (0.99, 0.99), (0.9, 0.9), (0.75, 0.75), (0.74, 0.74), (0.5, 0.5), (0.3, 0.9),
                (1, 0.5), (0.5, 1), (0.1, 0.1), (0.01, 0.01), (0.01, 1),
            ]
            for (across, down) in sides {
                cases.append(
                    Case(
                        options: "-q \(60 + number) -m 2",
                        kind: number % 2 == 0 ? .drawing : .noise,
                        width: size.0, height: size.1,
                        scaled: (
                            max(1, Int(Double(size.0) * across)), max(1, Int(Double(size.1) * down))
                        )))
            }
        }
        try LossyWebPReference().compare(cases)
    }

    @Test("Images with alpha are exact, for every compression of alpha")
    func alpha() throws {
        var cases: [Case] = []
        let kinds: [WebPTestPicture] = [.photograph, .drawing, .noise, .palette, .twoColours]
        for (number, quality) in [100, 80, 30, 0].enumerated() {
            for method in 0...1 {
                for filter in ["none", "fast", "best"] {
                    for kind in kinds {
                        cases.append(
                            Case(
                                options: "-q 70 -m 1 -alpha_q \(quality) -alpha_method \(method)"
                                    + " -alpha_filter \(filter)",
                                kind: kind, width: 33 + number, height: 41 - number, bands: 4))
                    }
                }
            }
        }
        cases += (1...9).map {
            Case(options: "-q 50 -exact", kind: .noise, width: $0, height: 10 - $0, bands: 4)
        }
        try LossyWebPReference().compare(cases)
    }

    @Test("Images, coded data and alpha in scratch files are exact")
    func scratch() throws {
        try LossyWebPReference().compare([
            Case(options: "-q 100 -m 0", kind: .noise, width: 701, height: 499),
            Case(options: "-q 60 -m 0", kind: .photograph, width: 640, height: 480, bands: 4),
        ])
    }
}
