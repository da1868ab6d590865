import AttachmentContainer
import Foundation
import SampleMedia

/// Files whose headers are valid; their pixels are not, since the scripted decoder makes them up.
enum SampleFile {
    /// A JPEG of 4:2:0 in one scan, or progressive.
    static func jpeg(_ size: PixelSize, isProgressive: Bool = false, length: Int = 0) -> Data {
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, isProgressive ? 0xC2 : 0xC0, 0, 17, 8]
        bytes += .big16(size.height) + .big16(size.width)
        bytes += [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
        bytes += [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0]
        bytes += .zeros(max(0, length - bytes.count - 2)) + [0xFF, 0xD9]
        return Data(bytes)
    }

    /// A PNG of RGB or RGBA.
    static func png(_ size: PixelSize, hasAlpha: Bool, length: Int = 0) -> Data {
        var bytes: [UInt8] = [0x89] + .ascii("PNG\r\n") + [0x1A, 0x0A]
        bytes += chunk(
            "IHDR", .big32(size.width) + .big32(size.height) + [8, hasAlpha ? 6 : 2, 0, 0, 0])
        bytes += chunk("IDAT", .zeros(max(16, length - bytes.count - 24)))
        bytes += chunk("IEND", [])
        return Data(bytes)
    }

    private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        .big32(body.count) + .ascii(type) + body + .zeros(4)
    }

    /// A GIF with as many equal frames.
    static func gif(_ size: PixelSize, frames: Int) -> Data {
        let screen = [UInt8].little16(size.width) + .little16(size.height)
        var bytes: [UInt8] = .ascii("GIF89a") + screen + [0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        for _ in 0..<frames {
            bytes += [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
            bytes += [0x2C, 0, 0, 0, 0] + screen + [0, 2, 2, 0x4C, 0x01, 0]
        }
        return Data(bytes + [0x3B])
    }
}
