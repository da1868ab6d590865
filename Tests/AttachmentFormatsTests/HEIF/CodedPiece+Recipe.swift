@testable import AttachmentFormats
import AttachmentModel
import Foundation
import SampleMedia
import Testing

extension CodedPiece {
    /// Recipe for a piece.
    struct Recipe: Hashable {
        var isAV1 = false
        var width = 64
        var height = 64
        /// `420`, `444` or `mono`.
        var chroma = "420"
        var bits = 8
        var seed = 0
        /// True for neutral chroma, as in alpha planes of HEVC.
        var isNeutral = false
    }

    /// Encodes pictures, each in a process of its own.
    static func code(_ recipes: [Recipe]) throws -> [Recipe: CodedPiece] {
        let folder = try TemporaryFolder()
        var pieces: [Recipe: CodedPiece] = [:]
        for (index, recipe) in recipes.enumerated() {
            let source = folder.path + "/\(index).y4m"
            let coded = folder.path + "/\(index)." + (recipe.isAV1 ? "avif" : "heic")
            try Data(recipe.y4m).write(to: URL(filePath: source))
            if recipe.isAV1 {
                try Tool.run(
                    "avifenc", "-s", "10", "-j", "1", "--min", "20", "--max", "30", source, coded)
            } else {
                try Tool.run(
                    "heif-enc", "-q", "70", "-p", "preset=ultrafast", source, "-o", coded)
            }
            pieces[recipe] = try CodedPiece(cutOutOf: coded, recipe)
        }
        return pieces
    }

    private init(cutOutOf path: String, _ recipe: Recipe) throws {
        let file = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let picture = try HEIFPicture(in: OpenFile(descriptor: descriptor, length: file.count))
        let tile = try #require(picture.first.colour.tiles.first)
        self.init(
            isAV1: recipe.isAV1, configuration: Array(file[tile.configuration]),
            bytes: tile.extents.flatMap { file[$0] }, width: recipe.width, height: recipe.height)
    }
}

extension CodedPiece.Recipe {
    /// A picture with gradients and edges in all planes, different for each seed.
    fileprivate var y4m: [UInt8] {
        let isDeep = bits > 8
        let format = chroma == "420" && !isDeep ? "420jpeg" : chroma + (isDeep ? "p\(bits)" : "")
        // libheif 1.15 does not expand monochrome.
        let range = chroma == "mono" ? " XCOLORRANGE=FULL" : ""
        let head = "YUV4MPEG2 W\(width) H\(height) F1:1 Ip A1:1 C\(format)\(range)\nFRAME\n"
        var bytes = Array(head.utf8)
        let shift = chroma == "420" ? 1 : 0
        for plane in 0..<(chroma == "mono" ? 1 : 3) {
            let (columns, rows) =
                plane == 0
                ? (width, height) : ((width + shift) >> shift, (height + shift) >> shift)
            for y in 0..<rows {
                for x in 0..<columns {
                    let edge = (x / 7 + y / 5 + seed) & 1 == 0 ? 40 : 0
                    let step = plane == 0 ? 1 : 2
                    let value =
                        plane > 0 && isNeutral
                        ? 128
                        : 30 + (x * 3 * step + y * (2 + plane) * step + seed * 37) % 160 + edge
                    if isDeep {
                        let deep = value << (bits - 8) | (x ^ y) & 3
                        bytes += [
                            UInt8(truncatingIfNeeded: deep), UInt8(truncatingIfNeeded: deep >> 8),
                        ]
                    } else {
                        bytes.append(UInt8(value))
                    }
                }
            }
        }
        return bytes
    }
}
