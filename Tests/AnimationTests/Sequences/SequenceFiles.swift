import Foundation
import Testing

/// Sequences written once for all tests, into a folder that is removed at the end of the process.
enum SequenceFiles {
    struct Sequence {
        let width: Int
        let height: Int
        let delays: [Int]
        let bytes: [UInt8]
        let pixels: [UInt32]
    }

    private static let folder = NSTemporaryDirectory() + "thimble-sequences-\(UUID().uuidString)"

    private static let lines: [String] = {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: SequenceFiles.folder) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "write_sequences.py").path,
            folder,
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return [] }
        let output = try? pipe.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return String(decoding: output ?? Data(), as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }()

    static func sequence(_ name: String) throws -> Sequence {
        let line = try #require(lines.first { $0.hasPrefix(name + " ") })
        let numbers = line.split(separator: " ").dropFirst().compactMap { Int($0) }
        return Sequence(
            width: numbers[0], height: numbers[1], delays: Array(numbers[2...]),
            bytes: try read("\(name).avif"), pixels: pixels(try read("\(name).raw")))
    }

    static func read(_ file: String) throws -> [UInt8] {
        try #require(!lines.isEmpty)
        return [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + file)))
    }

    /// RGBA as words with red in the lowest byte.
    static func pixels(_ bytes: [UInt8]) -> [UInt32] {
        stride(from: 0, to: bytes.count, by: 4).map { place in
            bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}
