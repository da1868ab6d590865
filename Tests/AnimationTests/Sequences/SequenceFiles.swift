import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

/// Sequences written once for all tests, into a folder that is removed at the end of the process.
enum SequenceFiles {
    struct Sequence {
        let width: Int
        let height: Int
        let delays: [Int]
        let bytes: [UInt8]
        /// All frames one after the other.
        let pixels: [UInt32]

        func pixels(ofFrame index: Int) -> ArraySlice<UInt32> {
            pixels[index * width * height..<(index + 1) * width * height]
        }
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
        let file = name + (name.hasPrefix("hevc") ? ".heics" : ".avif")
        return Sequence(
            width: numbers[0], height: numbers[1], delays: Array(numbers[2...]),
            bytes: try read(file), pixels: pixels(try read("\(name).raw")))
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

extension SequenceFiles {
    static func header(_ bytes: [UInt8]) throws -> AttachmentHeader {
        try OpenAnimation.bytes(bytes, .avif) { file in
            let attachment = try AttachmentFile(
                descriptor: dup(file.openFile.descriptor), path: "sequence.heif")
            guard case .picture(let header) = try Probe().attachment(attachment) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return header
        }
    }

    /// Pixels of the still picture.
    static func still(_ bytes: [UInt8]) throws -> [UInt32] {
        try OpenAnimation.bytes(bytes, .avif) { file in
            let rows = try HEIFRows(
                in: file.openFile, scratch: OpenAnimation.scratch, isTolerant: false,
                isCancelled: { false })
            let (layout, bands) = (rows.layout, rows.layout.bands)
            let row = UnsafeMutableRawBufferPointer.allocate(
                byteCount: layout.rowBytes, alignment: 16)
            defer { row.deallocate() }
            var pixels: [UInt32] = []
            for _ in 0..<layout.height {
                try rows.readRow(into: row)
                for x in 0..<layout.width {
                    let samples = (0..<bands).map { UInt32(row[x * bands + $0]) }
                    pixels.append(
                        samples[0] | samples[1] << 8 | samples[2] << 16
                            | (bands == 4 ? samples[3] : 255) << 24)
                }
            }
            return pixels
        }
    }
}
