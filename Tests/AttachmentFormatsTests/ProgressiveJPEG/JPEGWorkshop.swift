import AttachmentFormats
import Foundation
import Randomness

/// A temporary folder with the tools that create and compare test images.
final class JPEGWorkshop {
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "thimble-jpeg-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ name: String) -> String { folder + "/" + name }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: path(name)))
    }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(name))))
    }

    /// Runs a command in the folder and returns its output.
    @discardableResult
    func run(_ command: String, _ arguments: [String], input: String = "") throws -> String {
        try write(Array(input.utf8), to: "standard-input")
        let process = Process()
        process.executableURL = URL(filePath: command)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardInput = try FileHandle(
            forReadingFrom: URL(filePath: path("standard-input")))
        try write([], to: "standard-output")
        process.standardOutput = try FileHandle(
            forWritingTo: URL(filePath: path("standard-output")))
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return String(decoding: try read("standard-output"), as: UTF8.self)
    }

    /// Runs a shell script in the folder; ignores failures.
    func shell(_ lines: [String]) throws {
        try run("/bin/sh", [], input: lines.joined(separator: "\n") + "\n")
    }

    /// Writes a noisy image as PPM, or as PGM with one band.
    func makePicture(_ name: String, width: Int, height: Int, bands: Int) throws {
        var random = SplitMix64(seed: 12345)
        var samples = Array("P\(bands == 1 ? 5 : 6) \(width) \(height) 255\n".utf8)
        for y in 0..<height {
            for x in 0..<width {
                for band in 0..<bands {
                    let wave = sin(Double(x) / Double(5 + 3 * band)) * cos(Double(y) / 7)
                    let noise = Double(random.next() & 63) - 32
                    samples.append(UInt8(min(max(128 + 90 * wave + noise, 0), 255)))
                }
            }
        }
        try write(samples, to: name)
    }

    /// Compares pairs of files as decoded by libjpeg-turbo, in one process of Pillow.
    ///
    /// Each pair has two paths and a scale divisor. Returns a line per difference, and the number
    /// of comparisons.
    func differences(_ pairs: [(String, String, Int)]) throws -> (lines: [String], compared: Int) {
        let script = """
            import sys
            from PIL import Image
            Image.MAX_IMAGE_PIXELS = None
            def load(path, divisor):
                image = Image.open(path)
                if divisor > 1:
                    image.draft(None, (max(image.width // divisor, 1), max(image.height // divisor, 1)))
                return image.size, image.mode, image.info.get('adobe'), image.tobytes()
            compared = 0
            for line in open('pairs').read().splitlines():
                first, second, divisor = line.split('\\t')
                try:
                    if load(first, int(divisor)) != load(second, int(divisor)): print(line)
                    compared += 1
                except Exception as error:
                    print(line, error)
            print(compared)
            """
        let list = pairs.map { "\($0)\t\($1)\t\($2)" }.joined(separator: "\n")
        try write(Array(list.utf8), to: "pairs")
        let lines = try run("/usr/bin/python3", ["-c", script])
            .split(separator: "\n").map(String.init)
        return (lines.dropLast(), lines.last.flatMap { Int($0) } ?? 0)
    }
}

/// Reads a whole stream, `chunk` bytes at a time.
func transcode(
    _ bytes: [UInt8], loadShrink: Int = 1, isTolerant: Bool = false, chunk: Int = 4096
) throws -> [UInt8] {
    let file = try TemporaryBytes(bytes)
    let stream = try ProgressiveJPEGStream(
        file.openFile, loadShrink: loadShrink,
        isTolerant: isTolerant)
    return try readAll(stream, chunk: chunk)
}

func readAll(_ stream: some SimplerFile, chunk: Int = 4096) throws -> [UInt8] {
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
        let count = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
        guard count > 0 else { return output }
        output += buffer[..<count]
    }
}
