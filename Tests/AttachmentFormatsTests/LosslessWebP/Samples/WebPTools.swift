import AttachmentFormats
import Foundation
import Testing

/// Runs libwebp's command-line tools in a temporary folder.
final class WebPTools {
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "thimble-webp-\(UUID().uuidString)/"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: folder + name))
    }

    func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: folder + name)))
    }

    /// Runs commands in one shell, in the folder.
    func run(_ commands: [String]) throws {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.currentDirectoryURL = URL(filePath: folder)
        try write(Array(commands.joined(separator: "\n").utf8), to: "commands.sh")
        shell.arguments = ["-e", "commands.sh"]
        try shell.run()
        shell.waitUntilExit()
        try #require(shell.terminationStatus == 0)
    }
}

struct WebPSamples: Equatable {
    let width: Int
    let height: Int
    let bands: Int
    let values: [UInt8]

    /// Parses PGM, PPM or PAM, as written by dwebp.
    init(netpbm bytes: [UInt8]) throws {
        let isArbitrary = bytes[1] == UInt8(ascii: "7")
        let end = isArbitrary ? "ENDHDR" : "255"
        var words: [String] = []
        var place = 0
        while words.last != end {
            let word = bytes[place...].prefix { $0 > 32 }
            words.append(String(decoding: word, as: UTF8.self))
            place += word.count + 1
        }
        func named(_ name: String) throws -> Int {
            try #require(words.firstIndex(of: name).flatMap { Int(words[$0 + 1]) })
        }
        width = isArbitrary ? try named("WIDTH") : try #require(Int(words[1]))
        height = isArbitrary ? try named("HEIGHT") : try #require(Int(words[2]))
        bands = isArbitrary ? try named("DEPTH") : words[0] == "P5" ? 1 : 3
        values = Array(bytes[place...])
    }

    init(_ rows: any DecodedRows) throws {
        let layout = rows.layout
        (width, height, bands) = (layout.width, layout.height, layout.bands)
        var values = [UInt8](repeating: 0xA5, count: layout.rowBytes * layout.height)
        try values.withUnsafeMutableBytes { bytes in
            for y in 0..<layout.height {
                let start = y * layout.rowBytes
                try rows.readRow(
                    into: UnsafeMutableRawBufferPointer(
                        rebasing: bytes[start..<start + layout.rowBytes]))
            }
        }
        self.values = values
    }

    init(
        lossless file: [UInt8], scratch: ScratchSpace? = nil, isTolerant: Bool = false
    ) throws {
        let held = try TemporaryBytes(file)
        try self.init(
            LosslessWebPRows(
                held.openFile, scratch: scratch,
                isTolerant: isTolerant))
    }

    init(
        alphaOf file: [UInt8], scratch: ScratchSpace? = nil, isTolerant: Bool = false
    ) throws {
        let held = try TemporaryBytes(file)
        try self.init(
            WebPAlphaRows(
                held.openFile, scratch: scratch,
                isTolerant: isTolerant))
    }

    init(width: Int, height: Int, bands: Int, values: [UInt8]) {
        (self.width, self.height, self.bands) = (width, height, bands)
        self.values = values
    }

    /// The image as PAM, for cwebp.
    var netpbm: [UInt8] {
        let kind = bands == 4 ? "RGB_ALPHA" : "RGB"
        let head =
            "P7\nWIDTH \(width)\nHEIGHT \(height)\nDEPTH \(bands)\nMAXVAL 255\nTUPLTYPE \(kind)\n"
        return Array((head + "ENDHDR\n").utf8) + values
    }
}

extension WebPSamples {
    /// Describes the first difference; nil if the images are equal.
    func difference(from other: WebPSamples) -> String? {
        guard (width, height, bands) == (other.width, other.height, other.bands) else {
            return "\(width)×\(height)×\(bands) and \(other.width)×\(other.height)×\(other.bands)"
        }
        guard values != other.values else { return nil }
        guard let index = zip(values, other.values).enumerated().first(where: { $1.0 != $1.1 })
        else { return "different lengths" }
        let pixel = index.offset / bands
        return "column \(pixel % width), row \(pixel / width), band \(index.offset % bands): "
            + "\(index.element.0) and \(index.element.1)"
    }
}
