import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

/// BMP files of every supported kind, with their pixels.
///
/// They are written once for all tests, into a folder that is removed at the end of the process.
enum BMPSamples {
    struct Sample {
        let name: String
        let bytes: [UInt8]
        let layout: RowLayout
        let pixels: [UInt8]
        /// True if Pillow decodes the same pixels.
        let isConfirmed: Bool
    }

    private static let folder = NSTemporaryDirectory() + "thimble-bmp-\(UUID().uuidString)"

    /// All files; empty if they cannot be written, which `matrix` reports as a failure.
    static let names: [String] = {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: BMPSamples.folder) }
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "write_bmps.py").path
        let lines = try? TIFFSamples.output(of: "/usr/bin/python3", script, folder)
        return (lines ?? "").split(separator: "\n").map(String.init)
    }()

    /// Reads a file of the list.
    static func sample(_ line: String) throws -> Sample {
        let words = line.split(separator: " ").map(String.init)
        let numbers = words.dropFirst().compactMap { Int($0) }
        try #require(words.count == 5 && numbers.count == 3)
        return Sample(
            name: words[0], bytes: try read("\(words[0]).bmp"),
            layout: RowLayout(width: numbers[0], height: numbers[1], bands: numbers[2]),
            pixels: try read("\(words[0]).raw"), isConfirmed: words[4] == "pillow")
    }

    /// Reads the file with a name.
    static func sample(named name: String) throws -> Sample {
        try sample(#require(names.first { $0.hasPrefix(name + " ") }))
    }

    private static func read(_ file: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + file)))
    }
}

/// Decodes a whole file, or its first rows.
func decodeBMP(
    _ bytes: [UInt8], length: Int? = nil, isTolerant: Bool = false, rows limit: Int = .max
) throws -> (layout: RowLayout, pixels: [UInt8], rows: BMPRows) {
    let file = try TemporaryBytes(bytes)
    let open = OpenFile(descriptor: file.descriptor, length: length ?? bytes.count)
    let rows = try BMPRows(open, isTolerant: isTolerant)
    let layout = rows.layout
    let row = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.rowBytes, alignment: 16)
    defer { row.deallocate() }
    row.initializeMemory(as: UInt8.self, repeating: 0xA5)
    var pixels: [UInt8] = []
    for _ in 0..<min(limit, layout.height) {
        try rows.readRow(into: row)
        pixels += row
    }
    return (layout, pixels, rows)
}
