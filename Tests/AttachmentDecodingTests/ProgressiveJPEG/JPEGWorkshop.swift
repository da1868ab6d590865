import AttachmentDecoding
import Foundation
import Randomness

/// A folder for pictures that a test makes, which goes with the value's last reference, and the
/// tools that make and compare them.
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

    /// Runs commands in the folder and gives what they print.
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

    /// Runs a shell script in the folder; its own faults are its own.
    func shell(_ lines: [String]) throws {
        try run("/bin/sh", [], input: lines.joined(separator: "\n") + "\n")
    }

    /// Makes a picture with some noise, as PPM, or PGM with one band.
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

    /// Compares how libjpeg-turbo decodes pairs of files, in one process of Pillow.
    ///
    /// - Parameter pairs: Two files of the folder, or paths, and the divisor to decode them at.
    /// - Returns: A line for each pair that differs or cannot be decoded, and how many were compared.
    /// - Throws: What starting the process throws.
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

/// Reads all of a stream.
///
/// - Parameters:
///   - bytes: The file.
///   - loadShrink: The divisor that the stream is made for.
///   - isTolerant: Whether damage is passed over.
///   - chunk: How many bytes are asked for at a time.
/// - Returns: The stream.
/// - Throws: `DecodingFault`.
func transcode(
    _ bytes: [UInt8], loadShrink: Int = 1, isTolerant: Bool = false, chunk: Int = 4096
) throws -> [UInt8] {
    let file = try TemporaryBytes(bytes)
    let stream = try ProgressiveJPEGStream(
        descriptor: file.descriptor, length: bytes.count, loadShrink: loadShrink,
        isTolerant: isTolerant)
    return try readAll(stream, chunk: chunk)
}

func readAll(_ stream: ProgressiveJPEGStream, chunk: Int = 4096) throws -> [UInt8] {
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
        let count = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
        guard count > 0 else { return output }
        output += buffer[..<count]
    }
}
