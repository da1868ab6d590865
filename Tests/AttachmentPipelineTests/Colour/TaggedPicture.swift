import AttachmentContainer
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@testable import AttachmentVips

/// A picture of one colour, without a profile, whose file describes the colour by tags.
struct TaggedPicture {
    var colour = [128, 64, 64]
    var bitsPerSample = 8
    var alpha: Int?
    var isPalette = false
    var isInterlaced = false

    static let size = PixelSize(width: 64, height: 64)

    private var image: VipsImage {
        get throws {
            let samples = colour + (alpha.map { [$0] } ?? [])
            let isDeep = bitsPerSample > 8
            return try VipsImage.rows(
                size: Self.size, bands: samples.count, isDeep: isDeep,
                colours: colour.count == 1 ? .grey : .rgb, profile: nil
            ) { row in
                for index in 0..<row.count / (isDeep ? 2 : 1) {
                    let sample = samples[index % samples.count]
                    if isDeep {
                        row.storeBytes(
                            of: UInt16(sample * 257), toByteOffset: 2 * index, as: UInt16.self)
                    } else {
                        row[index] = UInt8(sample)
                    }
                }
            }.inMemory()
        }
    }

    func png(_ chunks: [(type: String, data: [UInt8])]) throws -> Data {
        try TemporaryFolder.with { folder in
            let file = folder.appending(path: "flat.png")
            try image.write(
                to: file, with: "pngsave_target",
                ["palette": .bool(isPalette), "interlace": .bool(isInterlaced)])
            let bytes = try Data(contentsOf: file)
            // After the signature and IHDR.
            return chunks.reduce(bytes.prefix(33)) { $0 + .pngChunk($1.type, $1.data) }
                + bytes.dropFirst(33)
        }
    }

    /// Lossless AV1 with the identity matrix, or monochrome.
    func av1() throws -> CodedPiece {
        try TemporaryFolder.with { folder in
            let (source, coded) = (
                folder.appending(path: "in.png"), folder.appending(path: "out.avif")
            )
            try png([]).write(to: source)
            let isGrey = colour.count == 1
            try Self.run(
                "/usr/bin/avifenc",
                ["-s", "10", "-j", "1", "--min", "0", "--max", "0", "-r", "full"]
                    + ["-d", "\(bitsPerSample > 8 ? 10 : 8)", "-y", isGrey ? "400" : "444"]
                    + ["--cicp", "1/13/\(isGrey ? 6 : 0)"]
                    + [source.path, coded.path])
            return try #require(CodedPiece(onlyPictureOf: [UInt8](Data(contentsOf: coded))))
        }
    }

    /// HEVC in BT.601.
    func hevc() throws -> CodedPiece {
        try TemporaryFolder.with { folder in
            let file = folder.appending(path: "flat.heic")
            try image.write(
                to: file, with: "heifsave_target",
                [
                    "compression": .name("hevc"), "Q": .int(95), "effort": .int(0),
                    "subsample_mode": .name("off"), "bitdepth": .int(8), "strip": .bool(true),
                ])
            return try #require(CodedPiece(onlyPictureOf: [UInt8](Data(contentsOf: file))))
        }
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}
