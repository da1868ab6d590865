import Foundation
import SampleMedia
import Testing

extension PoolFixture {
    private static let side = 512
    private static let hevc = Result { try tile(by: ["heif-enc", "-q", "70"], type: "heic") }
    private static let av1 = Result { try tile(by: ["avifenc", "-s", "10"], type: "avif") }

    /// Path of a grid of three by three tiles as of phones; nil for a name that is no grid's.
    func grid(_ name: String) throws -> String? {
        guard name.hasPrefix("grid") else { return nil }
        let tile = try (name.hasSuffix(".avif") ? Self.av1 : Self.hevc).get()
        let turned = name.contains("orientation-6") ? [HEIFWriter.turn(3)] : []
        var writer = HEIFWriter.mosaic([tile], columns: 3, rows: 3, 1500, 1400, turned)
        if tile.isAV1 { writer.brand = "avif" }
        let url = folder.appending(path: name)
        try Data(writer.bytes).write(to: url)
        return url.path
    }

    private static func tile(by encoder: [String], type: String) throws -> CodedPiece {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, coded) = (
            folder.appending(path: "tile.y4m"), folder.appending(path: "tile.\(type)")
        )
        var bytes = Array("YUV4MPEG2 W\(side) H\(side) F1:1 Ip A1:1 C420jpeg\nFRAME\n".utf8)
        // Gradients with edges.
        for y in 0..<side {
            bytes += (0..<side).map { UInt8(30 + ($0 * 3 + y * 2) % 160 + ($0 / 7 ^ y / 5) % 40) }
        }
        bytes += Array(repeating: 110, count: side * side / 4)
        bytes += Array(repeating: 150, count: side * side / 4)
        try Data(bytes).write(to: source)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = encoder + [source.path, "-o", coded.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try #require(CodedPiece(onlyPictureOf: try [UInt8](Data(contentsOf: coded))))
    }
}
