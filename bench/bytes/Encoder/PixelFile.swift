import ArgumentParser
import Foundation

/// A picture of interleaved 8-bit RGB, from a binary PPM without comments.
struct PixelFile {
    let width: Int
    let height: Int
    let samples: [UInt8]

    /// - Throws: `ValidationError` for other files.
    init(_ path: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var position = bytes.startIndex
        func word() -> String {
            let end =
                bytes[position...].firstIndex { $0 <= UInt8(ascii: " ") } ?? bytes.endIndex
            defer { position = min(end + 1, bytes.endIndex) }
            return String(decoding: bytes[position..<end], as: UTF8.self)
        }
        guard word() == "P6", let width = Int(word()), let height = Int(word()),
            word() == "255", 1...65_535 ~= width, 1...65_535 ~= height,
            bytes.endIndex - position == 3 * width * height
        else { throw ValidationError("\(path) is no binary PPM of 8 bits") }
        (self.width, self.height, samples) = (width, height, [UInt8](bytes[position...]))
    }

    /// Calls `body` with the samples of a row.
    func withRow(_ y: Int, _ body: (UnsafePointer<UInt8>?) -> Void) {
        samples[3 * y * width..<3 * (y + 1) * width].withUnsafeBufferPointer {
            body($0.baseAddress)
        }
    }
}
