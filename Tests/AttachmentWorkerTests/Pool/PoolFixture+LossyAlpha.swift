import Foundation
import Testing

extension PoolFixture {
    private static let size = (width: 1600, height: 1000)
    private static let coded = Result { try codedAlpha() }

    /// Path of a lossy WebP with alpha, wide enough for the thread of libwebp's loop filter; nil for
    /// another name.
    func lossyAlpha(_ name: String) throws -> String? {
        guard name == "alpha.webp" else { return nil }
        let url = folder.appending(path: name)
        try Self.coded.get().write(to: url)
        return url.path
    }

    private static func codedAlpha() throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (source, coded) = (
            folder.appending(path: "picture.pam"), folder.appending(path: "picture.webp")
        )
        let head = """
            P7
            WIDTH \(size.width)
            HEIGHT \(size.height)
            DEPTH 4
            MAXVAL 255
            TUPLTYPE RGB_ALPHA
            ENDHDR

            """
        var bytes = Array(head.utf8)
        bytes.reserveCapacity(bytes.count + 4 * size.width * size.height)
        // Gradients with edges, also in alpha.
        for y in 0..<size.height {
            for x in 0..<size.width {
                let edge = (x / 7 ^ y / 5) % 40
                bytes.append(UInt8(30 + (x + y) % 160 + edge))
                bytes.append(UInt8((x / 8 + y / 4) % 256))
                bytes.append(UInt8((x / 16 + 3 * y) % 256))
                bytes.append(UInt8((x / 64 + y / 32) % 3 * 127))
            }
        }
        try Data(bytes).write(to: source)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "cwebp", "-quiet", "-q", "80", "-m", "1", source.path, "-o", coded.path,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try Data(contentsOf: coded)
    }
}
