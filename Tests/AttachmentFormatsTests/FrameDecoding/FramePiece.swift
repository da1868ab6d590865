@testable import AttachmentFormats
import AttachmentModel
import Foundation
import SampleMedia
import Testing

/// A coded picture, cut out of its encoder's file.
struct FramePiece: Sendable {
    var isAV1: Bool
    var configuration: [UInt8]
    var bytes: [UInt8]
    var width: Int
    var height: Int

    /// Encodes pictures, each in a process of its own.
    static func code(_ recipes: [FrameRecipe]) throws -> [FrameRecipe: FramePiece] {
        let folder = try TemporaryFolder()
        var pieces: [FrameRecipe: FramePiece] = [:]
        for recipe in recipes where pieces[recipe] == nil {
            let source = folder.path + "/source." + (recipe.isAV1 ? "y4m" : "png")
            let coded = folder.path + "/coded." + (recipe.isAV1 ? "avif" : "heic")
            try Data(recipe.isAV1 ? recipe.y4m : recipe.png).write(to: URL(filePath: source))
            if recipe.isAV1 {
                // Lossless unless options say otherwise, so that every code occurs.
                try Tool.run(
                    ["avifenc", "-s", "10", "-j", "1", "-r", "full"]
                        + (recipe.options.isEmpty ? ["--min", "0", "--max", "0"] : recipe.options)
                        + [source, coded])
            } else {
                try Tool.run(
                    ["heif-enc", "-q", "80", "-b", "\(recipe.bits)", "-p", "preset=ultrafast"]
                        + (recipe.chroma == "mono" ? [] : ["-p", "chroma=\(recipe.chroma)"])
                        + recipe.options.flatMap { ["-p", $0] } + [source, "-o", coded])
            }
            pieces[recipe] = try FramePiece(cutOutOf: coded, recipe)
        }
        return pieces
    }

    private init(cutOutOf path: String, _ recipe: FrameRecipe) throws {
        let file = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let picture = try HEIFPicture(in: OpenFile(descriptor: descriptor, length: file.count))
        let tile = try #require(picture.first.colour.tiles.first)
        isAV1 = picture.first.colour.isAV1
        configuration = Array(file[tile.configuration])
        bytes = tile.extents.flatMap { file[$0] }
        (width, height) = (recipe.width, recipe.height)
    }

    /// A file with only this piece, for libheif.
    func file(_ colours: CodedColours?) -> [UInt8] {
        var writer = HEIFWriter()
        var properties = [
            HEIFWriter.box(isAV1 ? "av1C" : "hvcC", configuration), HEIFWriter.size(width, height),
        ]
        if let colours {
            properties.append(
                HEIFWriter.colours(
                    colours.primaries, colours.transfer, colours.matrix,
                    isFull: colours.isFullRange))
        }
        writer.items = [
            HEIFWriter.Item(
                identifier: 1, type: isAV1 ? "av01" : "hvc1", bytes: bytes, properties: properties)
        ]
        return writer.bytes
    }

    /// The piece as part of a file that starts with it.
    func frame(_ colours: CodedColours? = nil, hasProfile: Bool = false) -> CodedFrame {
        CodedFrame(
            isAV1: isAV1, configuration: configuration, extents: [0..<bytes.count],
            width: width, height: height, colours: colours, hasProfile: hasProfile)
    }

    func decode(
        _ colours: CodedColours? = nil, hasProfile: Bool = false, scratch: ScratchSpace? = nil,
        heapCeiling: Int = .max, isTolerant: Bool = false,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> DecodedFrame {
        let file = try TemporaryBytes(bytes)
        let decoder = FrameDecoder(
            file: file.openFile, scratch: scratch ?? Self.scratch, heapCeiling: heapCeiling,
            isTolerant: isTolerant, isCancelled: isCancelled)
        return try decoder.decode(frame(colours, hasProfile: hasProfile))
    }

    static let scratch = ScratchSpace(folder: NSTemporaryDirectory(), ceiling: 64 << 20)
}

extension DecodedFrame {
    var rows: [UInt8] {
        let rowBytes = width * bands * bytesPerSample
        var rows = [UInt8](repeating: 0, count: rowBytes * height)
        rows.withUnsafeMutableBytes { rows in
            for y in 0..<height {
                let row = rows[y * rowBytes..<(y + 1) * rowBytes]
                readRow(y, columns: 0..<width, into: UnsafeMutableRawBufferPointer(rebasing: row))
            }
        }
        return rows
    }

    /// All rows as RGB, even for grey.
    var colourRows: [UInt8] {
        guard bands == 1 else { return rows }
        let (grey, size) = (rows, bytesPerSample)
        return stride(from: 0, to: grey.count, by: size).flatMap { start in
            (0..<3).flatMap { _ in grey[start..<start + size] }
        }
    }
}
