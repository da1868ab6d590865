package import AttachmentFormats
import Foundation

/// An animation with its expected canvas after each frame, from an independent source.
package struct ReferenceAnimation: Sendable, CustomStringConvertible {
    package let path: String
    package let width: Int
    package let height: Int
    package let frames: Int
    /// 0 means endless.
    package let plays: Int
    /// In milliseconds, as viewers show them.
    package let delays: [Int]

    package var description: String { (path as NSString).lastPathComponent }

    /// Parses a line printed by the scripts: name, width, height, frames, plays and delays.
    package init?(_ line: Substring, in folder: String) {
        let words = line.split(separator: " ")
        let numbers = words.dropFirst().prefix(4).compactMap { Int($0) }
        guard words.count == 6, numbers.count == 4 else { return nil }
        path = folder + "/" + words[0]
        (width, height, frames, plays) = (numbers[0], numbers[1], numbers[2], numbers[3])
        delays = words[5].split(separator: ",").compactMap { Int($0) }
    }

    /// RGBA pixels of the canvas after each frame.
    package func pixels() throws -> [UInt32] {
        let data = try Data(contentsOf: URL(filePath: path + ".rgba"))
        return data.withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt32.self).map { UInt32(littleEndian: $0) }
        }
    }

    /// Format by file extension.
    package var format: AnimationFile.Format {
        path.hasSuffix(".gif") ? .gif : path.hasSuffix(".webp") ? .webp : .png
    }
}

/// Animations written by `write_animations.py`, once per process, to a folder deleted at exit.
package enum ReferenceAnimations {
    package static let folder = NSTemporaryDirectory() + "thimble-animations-\(UUID().uuidString)"

    /// All animations; empty if the script fails, which the tests report.
    package static let all: [ReferenceAnimation] = {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: ReferenceAnimations.folder) }
        let lines = try? Script.output("write_animations.py", [folder])
        return (lines ?? "").split(separator: "\n")
            .compactMap { ReferenceAnimation($0, in: folder) }
    }()

    package static func all(_ format: AnimationFile.Format) -> [ReferenceAnimation] {
        all.filter { $0.format == format }
    }
}
