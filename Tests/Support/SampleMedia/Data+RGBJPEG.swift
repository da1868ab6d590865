package import Foundation

extension Data {
    /// A JPEG with its samples declared as RGB, which needs libvips.
    ///
    /// JFIF's segment, which means YCbCr, gives way to Adobe's with transform 0 (T.872, 6.5.3).
    package var declaredAsRGB: Data {
        let bytes = Array(self)
        var written = Array(bytes.prefix(2)) + [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8)
        written += [0, 100, 0, 0, 0, 0, 0]
        var start = 2
        // Segments have a marker and a length (T.81, B.1.1.4), up to the scan's segment.
        while bytes[start + 1] != 0xDA {
            let end = start + 2 + (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]))
            if ![0xE0, 0xEE].contains(bytes[start + 1]) { written += bytes[start..<end] }
            start = end
        }
        return Data(written + bytes[start...])
    }
}
