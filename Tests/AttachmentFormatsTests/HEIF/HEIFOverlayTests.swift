import AttachmentFormats
import Foundation
import SampleMedia
import Testing

@Suite("HEIF overlays", .timeLimit(.minutes(1)))
struct HEIFOverlayTests {
    private static let pieces = Result {
        try CodedPiece.code([
            CodedPiece.Recipe(isAV1: true, width: 64, height: 56),
            CodedPiece.Recipe(isAV1: true, width: 64, height: 56, chroma: "mono", seed: 1),
        ])
    }

    private let folder: TemporaryFolder
    private let scratch: ScratchSpace
    private let colour: CodedPiece
    private let grey: CodedPiece

    init() throws {
        folder = try TemporaryFolder()
        scratch = ScratchSpace(folder: folder.path, ceiling: 16 << 20)
        let pieces = try Self.pieces.get()
        colour = try #require(pieces.first { $0.key.chroma == "420" }?.value)
        grey = try #require(pieces.first { $0.key.chroma == "mono" }?.value)
    }

    private func sample(_ writer: HEIFWriter) throws -> HEIFSample {
        let path = folder.path + "/file.avif"
        try Data(writer.bytes).write(to: URL(filePath: path))
        return try HEIFSample(path, scratch: scratch)
    }

    @Test(
        "Layers are clipped to the canvas at any offset",
        arguments: [
            (0, 0), (5, -1), (-10, -5), (90, 50), (-64, 0), (0, -56), (100, 70), (-63, -55),
            (Int(Int32.max), 0), (Int(Int32.min), Int(Int32.min)), (0, Int(Int32.max)),
        ])
    func offsets(x: Int, y: Int) throws {
        let picture = try sample(.single(colour))
        let overlay = try sample(.overlay([(colour, x, y)], 100, 70))
        #expect(overlay.layout.width == 100 && overlay.layout.height == 70)
        var expected: [UInt8] = []
        for row in 0..<70 {
            for column in 0..<100 {
                let isCovered = 0..<64 ~= column - x && 0..<56 ~= row - y
                let start = isCovered ? ((row - y) * 64 + column - x) * 3 : 0
                expected += isCovered ? picture.rows[start..<start + 3] : [0xFF, 0x80, 0]
            }
        }
        #expect(overlay.rows == expected)
    }

    @Test("Later layers are blended over earlier ones, and grey becomes RGB")
    func alpha() throws {
        var writer = HEIFWriter.overlay([(colour, 0, 0), (grey, 10, 6)], 64, 56)
        writer.items.append(grey.item(50, [HEIFWriter.alpha]))
        writer.references.append(("auxl", 50, [3]))
        let (below, above) = (try sample(.single(colour)), try sample(.single(grey)))
        let overlay = try sample(writer)
        var expected = below.rows
        for y in 6..<56 {
            for x in 10..<64 {
                let grey = Int(above.rows[(y - 6) * 64 + x - 10])
                for band in 0..<3 {
                    let place = (y * 64 + x) * 3 + band
                    expected[place] = UInt8(
                        (grey * grey + Int(expected[place]) * (255 - grey)) / 255)
                }
            }
        }
        #expect(overlay.rows == expected)
    }

    @Test("Overlays are turned and cropped like other pictures")
    func turned() throws {
        let layers = [(piece: colour, x: -20, y: 30), (piece: grey, x: 40, y: -9)]
        let upright = try sample(.overlay(layers, 90, 80))
        let turned = try sample(.overlay(layers, 90, 80, [HEIFWriter.turn(1)]))
        #expect(turned.layout.width == 80 && turned.layout.height == 90)
        for y in 0..<90 {
            for x in 0..<80 {
                let stored = (x * 90 + 89 - y) * 3
                let place = (y * 80 + x) * 3
                #expect(turned.rows[place..<place + 3] == upright.rows[stored..<stored + 3])
            }
        }
    }
}
