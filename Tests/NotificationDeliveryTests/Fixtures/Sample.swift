/// Small files, the headers of which are right.
enum Sample {
    /// A JPEG of one scan.
    static func jpeg(width: Int = 40, height: Int = 30, padding: Int = 0) -> [UInt8] {
        let components: [UInt8] = [1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]
        let frame = [8] + big16(height) + big16(width) + [3] + components
        return [0xFF, 0xD8] + segment(0xDB, zeros(65)) + segment(0xC0, frame)
            + segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]) + zeros(padding) + [0xFF, 0xD9]
    }

    /// A PNG, its checksums zeros.
    static func png(width: Int = 40, height: Int = 30, bits: UInt8 = 8) -> [UInt8] {
        let header = big32(width) + big32(height) + [bits, 2, 0, 0, 0]
        return [0x89] + ascii("PNG\r\n") + [0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("IDAT", zeros(20)) + chunk("IEND", [])
    }

    /// A GIF of some frames.
    static func gif(width: Int = 40, height: Int = 30, frames: Int = 1) -> [UInt8] {
        let picture =
            [0x2C] + zeros(4) + little16(width) + little16(height) + [0, 2, 3, 0x44, 1, 5, 0]
        return ascii("GIF89a") + little16(width) + little16(height) + [0x81, 0, 0] + zeros(12)
            + Array(repeating: picture, count: frames).flatMap(\.self) + [0x3B]
    }

    static let wav = ascii("RIFF") + zeros(4) + ascii("WAVEfmt ") + zeros(32)
    static let avi = ascii("RIFF") + zeros(4) + ascii("AVI LIST") + zeros(32)
    static let aiff = ascii("FORM") + zeros(4) + ascii("AIFFCOMM") + zeros(32)
    static let m4a = big32(24) + ascii("ftypM4A ") + zeros(40)
    static let mp4 = big32(24) + ascii("ftypisom") + zeros(40)
    static let quickTime = big32(24) + ascii("ftypqt  ") + zeros(40)
    static let mpeg = [0, 0, 1, 0xBA] + zeros(40)
    static let mpeg2 = [0, 0, 1, 0xB3] + zeros(40)
    /// A frame of layer III, 128 kbit/s at 44.1 kHz.
    static let mp3 = [0xFF, 0xFB, 0x90, 0] + zeros(40)
    /// The same behind an ID3 tag of 200 bytes.
    static let taggedMP3 = ascii("ID3") + [4, 0, 0, 0, 0, 1, 0x48] + zeros(200) + mp3

    static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    private static func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
    private static func little16(_ value: Int) -> [UInt8] { big16(value).reversed() }
    private static func big32(_ value: Int) -> [UInt8] {
        big16(value >> 16) + big16(value & 0xFFFF)
    }
    private static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big16(body.count + 2) + body
    }
    private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        big32(body.count) + ascii(type) + body + zeros(4)
    }
}
