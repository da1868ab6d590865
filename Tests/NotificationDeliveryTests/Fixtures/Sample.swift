import SampleMedia

/// Small files with valid headers.
enum Sample {
    /// A JPEG with one scan.
    static func jpeg(width: Int = 40, height: Int = 30, padding: Int = 0) -> [UInt8] {
        let components: [UInt8] = [1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]
        let frame = [8] + big16(height) + big16(width) + [3] + components
        return [0xFF, 0xD8] + segment(0xDB, zeros(65)) + segment(0xC0, frame)
            + segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]) + zeros(padding) + [0xFF, 0xD9]
    }

    /// A PNG with zero checksums.
    static func png(width: Int = 40, height: Int = 30, bits: UInt8 = 8) -> [UInt8] {
        let header = big32(width) + big32(height) + [bits, 2, 0, 0, 0]
        return [0x89] + ascii("PNG\r\n") + [0x1A, 0x0A] + chunk("IHDR", header)
            + chunk("IDAT", zeros(20)) + chunk("IEND", [])
    }

    /// A GIF with several frames.
    static func gif(width: Int = 40, height: Int = 30, frames: Int = 1) -> [UInt8] {
        let picture =
            [0x2C] + zeros(4) + little16(width) + little16(height) + [0, 2, 3, 0x44, 1, 5, 0]
        return ascii("GIF89a") + little16(width) + little16(height) + [0x81, 0, 0] + zeros(12)
            + Array(repeating: picture, count: frames).flatMap(\.self) + [0x3B]
    }

    static let wav = SampleSound.wav()
    static let avi = SampleMovie.avi()
    static let aiff = SampleSound.aiff()
    static let m4a = SampleMovie.MP4(major: "M4A ", tracks: [SampleMovie.track("soun", "mp4a")])
        .bytes
    static let mp4 = SampleMovie.MP4().bytes
    static let proRes = SampleMovie.MP4(
        major: "qt  ", brands: ["qt  "], tracks: [SampleMovie.track("vide", "apch")]
    ).bytes
    static let mpeg = SampleMovie.program()
    static let mpeg2 = SampleMovie.sequence(second: true) + zeros(40)
    static let mp3 = SampleSound.mp3()
    static let taggedMP3 = SampleSound.mp3(tag: 200)

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
