import AttachmentContainer
import Foundation
import Testing

@testable import AttachmentVips

/// An animation of two frames, each of one colour beside a blank part.
struct MovingPicture {
    /// Samples of a frame: grey, or red, green and blue.
    var frames = [[128, 64, 64], [60, 140, 90]]
    var size = PixelSize(width: 64, height: 64)
    /// True if the right half of every frame is blank.
    var isHalfBlank = false

    var isGrey: Bool { frames[0].count == 1 }

    /// An APNG (PNG specification, third edition, 11.3.6) whose frames replace the canvas.
    func png(_ chunks: [(type: String, data: [UInt8])]) -> Data {
        let sides = big(size.width) + big(size.height)
        var bytes = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        bytes += Data.pngChunk("IHDR", sides + [8, isGrey ? 4 : 6, 0, 0, 0])
        bytes += Data.pngChunk("acTL", big(frames.count) + big(0))
        for chunk in chunks { bytes += Data.pngChunk(chunk.type, chunk.data) }
        var sequence = 0
        for (index, colour) in frames.enumerated() {
            bytes += Data.pngChunk(
                "fcTL", big(sequence) + sides + big(0) + big(0) + [0, 1, 0, 10, 0, 0])
            sequence += 1
            let data = Self.stored(rows(of: colour).flatMap { [0] + $0 })
            if index == 0 {
                bytes += Data.pngChunk("IDAT", data)
            } else {
                bytes += Data.pngChunk("fdAT", big(sequence) + data)
                sequence += 1
            }
        }
        return bytes + .pngChunk("IEND", [])
    }

    /// A lossless animated WebP (RFC 9649, section 2.7.1.1) with a profile, in colour only.
    func webp(_ profile: [UInt8]) throws -> Data {
        let (width, height) = (little(size.width - 1, 3), little(size.height - 1, 3))
        // Profile, alpha and animation.
        var chunks = Self.chunk("VP8X", [0x32, 0, 0, 0] + width + height)
        chunks += Self.chunk("ICCP", profile) + Self.chunk("ANIM", [0, 0, 0, 0, 0, 0])
        for colour in frames {
            let still = try image(of: colour).encoded(
                as: "webpsave_target", "still.webp", ["lossless": .bool(true)])
            // The chunk of a lossless still is the frame's data.
            let start = try #require(still.range(of: Data("VP8L".utf8))).lowerBound
            chunks += Self.chunk(
                "ANMF", little(0, 6) + width + height + little(100, 3) + [2] + still[start...])
        }
        return Data("RIFF".utf8) + Data(little(chunks.count + 4, 4)) + Data("WEBP".utf8) + chunks
    }

    /// A lossless animated AVIF, with options of avifenc.
    func avif(_ options: [String], profile: [UInt8]? = nil) throws -> Data {
        try TemporaryFolder.with { folder in
            let file = { (name: String) in folder.appending(path: name).path }
            var arguments =
                ["-s", "10", "-j", "1", "--min", "0", "--max", "0", "-r", "full", "-d", "8"]
                + ["--fps", "10", "-y", isGrey ? "400" : "444"] + options
            if let profile {
                try Data(profile).write(to: folder.appending(path: "profile.icc"))
                arguments += ["--icc", file("profile.icc")]
            }
            for (index, colour) in frames.enumerated() {
                try image(of: colour).encoded(as: "pngsave_target", "frame.png", [:])
                    .write(to: folder.appending(path: "\(index).png"))
                arguments.append(file("\(index).png"))
            }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/avifenc")
            process.arguments = arguments + [file("moving.avif")]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            return try Data(contentsOf: folder.appending(path: "moving.avif"))
        }
    }

    /// Rows of the samples with their alpha.
    private func rows(of colour: [Int]) -> [[UInt8]] {
        let row = (0..<size.width).flatMap { x in
            (colour + [isHalfBlank && 2 * x >= size.width ? 0 : 255]).map { UInt8($0) }
        }
        return Array(repeating: row, count: size.height)
    }

    private func image(of colour: [Int]) throws -> VipsImage {
        let row = rows(of: colour)[0]
        return try VipsImage.rows(
            size: size, bands: colour.count + 1, isDeep: false, colours: isGrey ? .grey : .rgb,
            profile: nil
        ) { $0.copyBytes(from: row) }.inMemory()
    }

    /// A zlib stream of blocks that are not compressed (RFC 1950, RFC 1951).
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var (stream, start): ([UInt8], Int) = ([0x78, 0x01], 0)
        while start < bytes.count {
            let part = bytes[start..<min(start + 65535, bytes.count)]
            start += part.count
            stream += [start == bytes.count ? 1 : 0]
            stream += little(part.count, 2) + little(~part.count & 0xFFFF, 2) + part
        }
        var (low, high) = (1, 0)
        for byte in bytes {
            low = (low + Int(byte)) % 65521
            high = (high + low) % 65521
        }
        return stream + big(high << 16 | low)
    }

    private static func chunk(_ type: String, _ body: [UInt8]) -> Data {
        Data(type.utf8) + Data(little(body.count, 4) + body + (body.count % 2 == 1 ? [0] : []))
    }
}

extension VipsImage {
    fileprivate func encoded(
        as saver: String, _ name: String, _ arguments: [String: VipsArgument]
    ) throws -> Data {
        try TemporaryFolder.with { folder in
            let file = folder.appending(path: name)
            try write(to: file, with: saver, arguments.merging(["strip": .bool(true)]) { $1 })
            return try Data(contentsOf: file)
        }
    }
}

private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

private func big(_ value: Int) -> [UInt8] { little(value, 4).reversed() }
