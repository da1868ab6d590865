import AttachmentContainer
@testable import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@Suite("Headers of coded frames", .timeLimit(.minutes(1)))
struct FrameHeaderTests {
    @Test("Headers of AV1 and HEVC state depth and subsampling, which decoders allocate by")
    func headers() throws {
        let samplings = [8, 10, 12].flatMap { bits in
            ["420", "422", "444", "mono"].map { (chroma: $0, bits: bits) }
        }
        var recipes = samplings.map { FrameRecipe(chroma: $0.chroma, bits: $0.bits) }
        recipes += samplings.filter { $0.chroma != "mono" }.map {
            FrameRecipe(isAV1: false, width: 72, height: 64, chroma: $0.chroma, bits: $0.bits)
        }
        let pieces = try FramePiece.code(recipes)
        for recipe in recipes {
            let piece = try #require(pieces[recipe])
            let headers = try Self.headers(of: piece)
            let header = try #require(headers.first)
            #expect(header.isAV1 == recipe.isAV1)
            #expect(header.size == PixelSize(width: recipe.width, height: recipe.height))
            #expect(header.bitsPerSample == recipe.bits)
            let names = ["420": "4:2:0", "422": "4:2:2", "444": "4:4:4"]
            #expect(header.chromaSubsampling?.rawValue == names[recipe.chroma])
            #expect(header.codedBytes == piece.bytes.count)
        }
    }

    @Test("Tiles, segments, slices and tree blocks are counted")
    func pieces() throws {
        let tiled = FrameRecipe(
            width: 520, height: 520,
            options: ["--tilerowslog2", "3", "--tilecolslog2", "3", "--min", "60", "--max", "63"],
            isNoise: false)
        let sliced = FrameRecipe(
            isAV1: false, width: 200, height: 136, options: ["x265:slices=3", "x265:ctu=16"])
        let grainy = FrameRecipe(
            width: 201, height: 133, options: ["-a", "film-grain-test=2"], isNoise: false)
        let pieces = try FramePiece.code([tiled, sliced, grainy])
        let tiles = try header(of: tiled, in: pieces)
        #expect(tiles.pieces == 25)
        let slices = try header(of: sliced, in: pieces)
        #expect(slices.pieces == 3 && slices.blockSide == 16)
        #expect(slices.codedSize.height >= slices.size.height)
        let grain = try header(of: grainy, in: pieces)
        #expect(grain.pieces == 1 && !grain.isSegmented)
    }

    @Test("A frame of another size than its item is rejected, smaller or larger")
    func mismatch() throws {
        let recipe = FrameRecipe()
        let pieces = try FramePiece.code([recipe])
        var piece = try #require(pieces[recipe])
        for (width, height) in [(66, 41), (68, 41), (67, 40), (640, 480), (1, 1)] {
            (piece.width, piece.height) = (width, height)
            #expect(throws: HeaderFault.self) { try Self.headers(of: piece) }
        }
    }

    private func header(
        of recipe: FrameRecipe, in pieces: [FrameRecipe: FramePiece]
    ) throws -> FrameHeader {
        let headers = try Self.headers(of: try #require(pieces[recipe]))
        return try #require(headers.first)
    }

    private static func headers(of piece: FramePiece) throws -> [FrameHeader] {
        let bytes = piece.file(nil)
        let file = try TemporaryBytes(bytes)
        return try HEIFPicture(in: file.openFile).frames
    }
}
