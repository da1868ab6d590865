import AttachmentDecoding
import Foundation
import Testing

/// An animation with what it shows at each frame, which somebody else says.
struct ReferenceAnimation: Sendable, CustomTestStringConvertible {
    let path: String
    let width: Int
    let height: Int
    let frames: Int
    /// 0 for without end.
    let plays: Int
    /// In milliseconds, as viewers show them.
    let delays: [Int]

    var testDescription: String { (path as NSString).lastPathComponent }

    /// Reads a line of what the scripts print.
    ///
    /// - Parameters:
    ///   - line: Name, width, height, frames, plays and delays.
    ///   - folder: Where the file is.
    init?(_ line: Substring, in folder: String) {
        let words = line.split(separator: " ")
        let numbers = words.dropFirst().prefix(4).compactMap { Int($0) }
        guard words.count == 6, numbers.count == 4 else { return nil }
        path = folder + "/" + words[0]
        (width, height, frames, plays) = (numbers[0], numbers[1], numbers[2], numbers[3])
        delays = words[5].split(separator: ",").compactMap { Int($0) }
    }

    /// The canvas after each frame: red, green, blue and alpha of each pixel.
    func pixels() throws -> [UInt32] {
        let data = try Data(contentsOf: URL(filePath: path + ".rgba"))
        return data.withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt32.self).map { UInt32(littleEndian: $0) }
        }
    }

    /// The format that the name says.
    var format: AnimationFile.Format {
        path.hasSuffix(".gif") ? .gif : path.hasSuffix(".webp") ? .webp : .png
    }
}

/// The animations that `write_animations.py` writes, once for all tests, into a folder that goes when
/// the process ends.
enum ReferenceAnimations {
    static let folder = NSTemporaryDirectory() + "thimble-animations-\(UUID().uuidString)"

    /// All of them; empty when they cannot be written, which the tests make a failure.
    static let all: [ReferenceAnimation] = {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: ReferenceAnimations.folder) }
        let lines = try? Script.output("write_animations.py", [folder])
        return (lines ?? "").split(separator: "\n")
            .compactMap { ReferenceAnimation($0, in: folder) }
    }()

    /// Those of a format.
    static func all(_ format: AnimationFile.Format) -> [ReferenceAnimation] {
        all.filter { $0.format == format }
    }
}

/// The scripts beside this file.
enum Script {
    /// Runs one and gives what it prints.
    static func output(_ name: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
        process.arguments = [script.path] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(name) failed")
        return String(decoding: data, as: UTF8.self)
    }
}
