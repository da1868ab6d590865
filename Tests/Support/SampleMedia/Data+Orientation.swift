package import Foundation

extension Data {
    /// Inserts an Exif segment with an orientation after the start of a JPEG.
    package func withOrientation(_ value: UInt8) -> Data {
        // APP1, length 34, "Exif", then little-endian TIFF with one entry: tag 0x0112, SHORT.
        let segment: [UInt8] =
            [0xFF, 0xE1, 0, 34] + Array("Exif\0\0".utf8) + Array("II*\0".utf8)
            + [8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, value, 0, 0, 0, 0, 0, 0, 0]
        return prefix(2) + Data(segment) + dropFirst(2)
    }
}
