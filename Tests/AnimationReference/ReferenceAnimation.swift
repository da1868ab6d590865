package import AttachmentDecoding
import Foundation

/// An animation with what it shows at each frame, which somebody else says.
package struct ReferenceAnimation: Sendable, CustomStringConvertible {
    package let path: String
    package let width: Int
    package let height: Int
    package let frames: Int
    /// 0 for without end.
    package let plays: Int
    /// In milliseconds, as viewers show them.
    package let delays: [Int]

    package var description: String { (path as NSString).lastPathComponent }

    /// Reads a line of what the scripts print.
    ///
    /// - Parameters:
    ///   - line: Name, width, height, frames, plays and delays.
    ///   - folder: Where the file is.
    package init?(_ line: Substring, in folder: String) {
        let words = line.split(separator: " ")
        let numbers = words.dropFirst().prefix(4).compactMap { Int($0) }
        guard words.count == 6, numbers.count == 4 else { return nil }
        path = folder + "/" + words[0]
        (width, height, frames, plays) = (numbers[0], numbers[1], numbers[2], numbers[3])
        delays = words[5].split(separator: ",").compactMap { Int($0) }
    }

    /// The canvas after each frame: red, green, blue and alpha of each pixel.
    package func pixels() throws -> [UInt32] {
        let data = try Data(contentsOf: URL(filePath: path + ".rgba"))
        return data.withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt32.self).map { UInt32(littleEndian: $0) }
        }
    }

    /// The format that the name says.
    package var format: AnimationFile.Format {
        path.hasSuffix(".gif") ? .gif : path.hasSuffix(".webp") ? .webp : .png
    }
}

/// The animations that `write_animations.py` writes, once for all tests, into a folder that goes when
/// the process ends.
package enum ReferenceAnimations {
    package static let folder = NSTemporaryDirectory() + "thimble-animations-\(UUID().uuidString)"

    /// All of them; empty when they cannot be written, which the tests make a failure.
    package static let all: [ReferenceAnimation] = {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: ReferenceAnimations.folder) }
        let lines = try? Script.output("write_animations.py", [folder])
        return (lines ?? "").split(separator: "\n")
            .compactMap { ReferenceAnimation($0, in: folder) }
    }()

    /// Those of a format.
    package static func all(_ format: AnimationFile.Format) -> [ReferenceAnimation] {
        all.filter { $0.format == format }
    }
}
