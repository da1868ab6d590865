import AttachmentDecryption
import AttachmentModel
import Foundation

/// An empty folder for ciphertexts, removed afterwards.
final class DecryptionFixture: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Names of files in the folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
    }

    /// Passes a file to a decryption in parts, and returns the verified plaintext.
    func open(
        _ bytes: Data, by decryption: any StreamDecryption, parts: [Int] = [4096]
    ) throws(DecryptionError) -> any Plaintext {
        let receiver = try CiphertextReceiver(decryption, in: folder)
        var (rest, number) = (bytes[...], 0)
        while !rest.isEmpty {
            try receiver.append(Data(rest.prefix(parts[number % parts.count])))
            rest = rest.dropFirst(parts[number % parts.count])
            number += 1
        }
        return try receiver.finish()
    }
}

extension Plaintext {
    /// Bytes from an offset, at most `count`.
    func bytes(at offset: Int, count: Int) throws -> Data {
        var bytes = [UInt8](repeating: 0, count: count)
        let length = try bytes.withUnsafeMutableBytes { (buffer) throws -> Int in
            try read(into: buffer, at: offset)
        }
        return Data(bytes.prefix(length))
    }

    /// The whole plaintext.
    func whole() throws -> Data { try bytes(at: 0, count: length + 1) }
}

extension Data {
    /// Decodes hexadecimal digits.
    init(hex: String) {
        let digits = hex.filter { !$0.isWhitespace }.map { UInt8($0.hexDigitValue ?? 0) }
        self.init(
            stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}
