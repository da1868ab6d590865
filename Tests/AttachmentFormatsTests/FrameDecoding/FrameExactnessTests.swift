@testable import AttachmentFormats
import Foundation
import Testing

@Suite("Decoded frames equal libheif's", .timeLimit(.minutes(2)))
struct FrameExactnessTests {
    /// Matrices that libheif 1.15 converts, with primaries for those derived from them.
    private static let matrices = [
        (1, 1), (1, 2), (1, 4), (1, 5), (1, 6), (1, 7), (9, 9), (9, 12), (12, 12), (5, 12),
    ]

    private static let samplings: [FrameRecipe] = [8, 10, 12].flatMap { bits in
        ["420", "422", "444", "mono"].map { FrameRecipe(chroma: $0, bits: bits) }
    }

    @Test("AV1 of every depth and sampling, in every matrix and range")
    func av1() throws {
        let pieces = try FramePiece.code(Self.samplings)
        var cases: [Case] = []
        for recipe in Self.samplings {
            let piece = try #require(pieces[recipe])
            cases.append(Case(piece: piece, colours: nil))
            // libheif 1.15 expands neither monochrome nor identity; see `LimitedRangeTests`.
            for isFull in recipe.chroma == "mono" ? [true] : [true, false] {
                for (primaries, matrix) in Self.matrices {
                    cases.append(Case(piece, primaries, matrix, isFull))
                }
            }
            // Identity needs planes of equal size.
            if recipe.chroma == "444" { cases.append(Case(piece, 1, 0, true)) }
            // Above 8 bits, libheif truncates YCgCo to 8.
            if recipe.bits == 8 { cases.append(Case(piece, 1, 8, true)) }
        }
        try Case.compare(cases, atLeast: 224)
    }

    @Test("AV1 of every size up to odd ones, with tiles, filters and film grain")
    func av1Sizes() throws {
        var recipes = [1, 2, 3, 5, 8, 17, 31, 64].flatMap { side in
            ["420", "444"].map { FrameRecipe(width: side, height: 71 - side, chroma: $0) }
        }
        recipes += [
            FrameRecipe(
                width: 600, height: 410, options: ["--tilerowslog2", "2", "--tilecolslog2", "2"],
                isNoise: false),
            FrameRecipe(
                width: 201, height: 133, options: ["-a", "film-grain-test=2"], isNoise: false),
            FrameRecipe(
                width: 300, height: 200, bits: 10,
                options: ["-s", "6", "--min", "30", "--max", "40"], isNoise: false),
            FrameRecipe(
                width: 130, height: 90, chroma: "444", bits: 12,
                options: ["--min", "10", "--max", "50"], isNoise: false),
        ]
        let pieces = try FramePiece.code(recipes)
        let cases = try recipes.map { Case(piece: try #require(pieces[$0]), colours: nil) }
        try Case.compare(cases, atLeast: 20)
    }

    @Test("HEVC of every depth and sampling, in slices, with every block and filter")
    func hevc() throws {
        var recipes: [FrameRecipe] = [8, 10, 12].flatMap { bits in
            ["420", "422", "444"].map {
                FrameRecipe(isAV1: false, width: 72, height: 64, chroma: $0, bits: bits)
            }
        }
        recipes.append(FrameRecipe(isAV1: false, width: 64, height: 80, chroma: "mono"))
        for option in [
            "x265:slices=3", "x265:ctu=16", "x265:ctu=32", "x265:no-deblock=1", "x265:lossless=1",
            "x265:no-wpp=1", "x265:range=limited", "x265:colormatrix=bt709",
            "x265:constrained-intra=1", "x265:strong-intra-smoothing=0", "x265:rdoq-level=0",
        ] {
            recipes.append(
                FrameRecipe(
                    isAV1: false, width: 200, height: 136, options: [option, "x265:sao=1"]))
        }
        let pieces = try FramePiece.code(recipes)
        var cases: [Case] = []
        for recipe in recipes {
            let piece = try #require(pieces[recipe])
            cases.append(Case(piece: piece, colours: nil))
            for (primaries, matrix) in [(1, 1), (9, 9), (1, 6)] {
                cases.append(Case(piece, primaries, matrix, true))
                guard recipe.chroma != "mono" else { continue }
                cases.append(Case(piece, primaries, matrix, false))
            }
        }
        try Case.compare(cases, atLeast: 140)
    }

    @Test("HEVC whose filter reads a copy from a scratch file, on a worker thread")
    func hevcWithWorker() throws {
        let recipes = ["420", "444"].map {
            FrameRecipe(
                isAV1: false, width: 1100, height: 616, chroma: $0,
                options: ["x265:sao=1", "x265:slices=2"], isNoise: false)
        }
        let pieces = try FramePiece.code(recipes)
        try Case.compare(
            recipes.map { Case(piece: try #require(pieces[$0]), colours: nil) }, atLeast: 2)
    }
}

/// A piece and the colours stated by its file.
private struct Case {
    var piece: FramePiece
    var colours: CodedColours?

    init(piece: FramePiece, colours: CodedColours?) {
        (self.piece, self.colours) = (piece, colours)
    }

    init(_ piece: FramePiece, _ primaries: Int, _ matrix: Int, _ isFull: Bool) {
        self.piece = piece
        colours = CodedColours(
            primaries: primaries, transfer: 13, matrix: matrix, isFullRange: isFull)
    }

    /// Decodes with both and compares every sample.
    static func compare(_ cases: [Case], atLeast: Int) throws {
        let folder = try TemporaryFolder()
        let paths = cases.indices.map { folder.path + "/\($0).heic" }
        for (path, item) in zip(paths, cases) {
            try Data(item.piece.file(item.colours)).write(to: URL(filePath: path))
        }
        var compared = 0
        for (item, reference) in zip(cases, try LibheifReference.decode(paths)) {
            let name = "\(item.piece.width)×\(item.piece.height) \(item.colours as Any)"
            guard let reference else {
                Issue.record("libheif refuses \(name)")
                continue
            }
            let frame = try item.piece.decode(item.colours)
            #expect(frame.bytesPerSample == reference.layout.bytesPerSample)
            let isGrey = reference.layout.bands == 1
            let isEqual = (isGrey ? frame.rows : frame.colourRows) == reference.rows
            #expect(isEqual, "\(name)")
            compared += 1
        }
        #expect(compared >= atLeast)
    }
}
