import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

/// TIFF files of every supported kind, with libvips' results.
///
/// They are written once for all tests, into a folder that is removed at the end of the process.
enum TIFFSamples {
    struct Sample {
        let name: String
        let bytes: [UInt8]
        let layout: RowLayout
        /// Pixels decoded by libvips.
        let pixels: [UInt8]
    }

    static let folder = NSTemporaryDirectory() + "thimble-tiff-\(UUID().uuidString)"

    /// All files; empty if they cannot be written, which `matrix` reports as a failure.
    static let names: [String] = {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: TIFFSamples.folder) }
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "write_tiffs.py").path
        let lines = try? output(of: "/usr/bin/python3", script, folder)
        return (lines ?? "").split(separator: "\n").map(String.init)
    }()

    /// Reads a file of the list.
    static func sample(_ line: String) throws -> Sample {
        let words = line.split(separator: " ").map(String.init)
        let numbers = words.dropFirst().compactMap { Int($0) }
        try #require(numbers.count == 4)
        return Sample(
            name: words[0], bytes: try read("\(words[0]).tif"),
            layout: RowLayout(
                width: numbers[0], height: numbers[1], bands: numbers[2],
                bytesPerSample: numbers[3]),
            pixels: try read("\(words[0]).raw"))
    }

    /// The files whose names have a prefix.
    static func files(_ prefix: String) throws -> [String] {
        try #require(!names.isEmpty)
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasPrefix(prefix) && $0.hasSuffix(".tif") }.sorted()
    }

    static func read(_ file: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + file)))
    }

    /// Runs a program and returns its output.
    static func output(of program: String, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
        return String(decoding: data, as: UTF8.self)
    }
}

/// A folder on a disk, for unlinked scratch files.
let tiffScratchFolder = URL(filePath: #filePath).deletingLastPathComponent().path

/// Decodes a whole file, or its first rows.
func decodeTIFF(
    _ file: TemporaryBytes, length: Int, isTolerant: Bool = false, rows limit: Int = .max,
    scratch: ScratchSpace = ScratchSpace(folder: tiffScratchFolder, ceiling: 64 << 20)
) throws(DecodingFault) -> (layout: RowLayout, profile: [UInt8]?, pixels: [UInt8]) {
    let rows = try TIFFRows(
        OpenFile(descriptor: file.descriptor, length: length), scratch: scratch,
        isTolerant: isTolerant)
    let layout = rows.layout
    let count = min(limit, layout.height)
    // Some hostile files claim enormous rows that take too long for a test.
    guard layout.rowBytes <= 1 << 20 else { return (layout, rows.profile, []) }
    let row = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.rowBytes, alignment: 16)
    defer { row.deallocate() }
    row.initializeMemory(as: UInt8.self, repeating: 0xa5)
    var pixels: [UInt8] = []
    for _ in 0..<count {
        try rows.readRow(into: row)
        pixels += row
    }
    return (layout, rows.profile, pixels)
}
