/// Small movies, built field by field.
package enum SampleMovie {
    // MARK: MPEG-4

    /// A movie of 90,000 units at 30,000 per second.
    package struct MP4 {
        package var major: String
        package var brands: [String]
        package var tracks: [[UInt8]]
        package var isMovieLast: Bool
        package var data: [UInt8]
        package var duration: Int
        package var timescale: Int
        package var extra: [UInt8]
        package var isWide: Bool

        package init(
            major: String = "isom", brands: [String] = ["isom", "mp42"],
            tracks: [[UInt8]] = [track("vide", "avc1"), track("soun", "mp4a")],
            isMovieLast: Bool = false, data: [UInt8] = .zeros(64), duration: Int = 90_000,
            timescale: Int = 30_000, extra: [UInt8] = [], isWide: Bool = false
        ) {
            self.major = major
            self.brands = brands
            self.tracks = tracks
            self.isMovieLast = isMovieLast
            self.data = data
            self.duration = duration
            self.timescale = timescale
            self.extra = extra
            self.isWide = isWide
        }

        package var bytes: [UInt8] {
            let times: [UInt8] =
                isWide
                ? .zeros(16) + .big32(timescale) + .big64(duration)
                : .zeros(8) + .big32(timescale) + .big32(duration)
            let header = box("mvhd", [isWide ? 1 : 0, 0, 0, 0] + times + .zeros(80))
            let movie = box("moov", header + tracks.flatMap { $0 } + extra)
            let media = box("mdat", data)
            let type: [UInt8] =
                major.isEmpty
                ? [] : box("ftyp", .ascii(major) + .zeros(4) + .ascii(brands.joined()))
            return type + (isMovieLast ? media + movie : movie + media)
        }
    }

    package static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        .big32(body.count + 8) + .ascii(type) + body
    }

    /// A track of 1920 by 1080 pixels, upright or rotated by its matrix.
    package static func track(
        _ handler: String, _ coding: String, turned: Bool = false, width: Int = 1920,
        height: Int = 1080
    ) -> [UInt8] {
        let one = 0x1_0000
        let rows = turned ? [0, one, 0, -one, 0, 0] : [one, 0, 0, 0, one, 0]
        let matrix: [UInt8] = (rows + [0, 0, 1 << 30]).flatMap { [UInt8].big32($0) }
        let isVideo = handler == "vide"
        let size: [UInt8] = .big32(isVideo ? width << 16 : 0) + .big32(isVideo ? height << 16 : 0)
        let header = box("tkhd", .zeros(40) + matrix + size)
        let entry: [UInt8] = box(coding, .zeros(24) + .big16(640) + .big16(480) + .zeros(50))
        let descriptions: [UInt8] = box("stsd", .zeros(4) + .big32(1) + entry)
        let media =
            box("hdlr", .zeros(8) + .ascii(handler) + .zeros(13))
            + box("minf", box("stbl", descriptions))
        return box("trak", header + box("mdia", media))
    }

    // MARK: AVI

    /// 50 frames of 320 by 240 pixels at 25 per second.
    package static func avi(
        streams: [[UInt8]] = [stream()], microseconds: Int = 40_000, width: Int = 320,
        height: Int = 240, data: [UInt8] = .zeros(100)
    ) -> [UInt8] {
        let main: [UInt8] =
            .little32(microseconds) + .zeros(12) + .little32(50) + .zeros(12) + .little32(width)
            + .little32(height) + .zeros(16)
        let body =
            list("hdrl", SampleSound.chunk("avih", main) + streams.flatMap { list("strl", $0) })
            + list("movi", data)
        return .ascii("RIFF") + .little32(body.count + 4) + .ascii("AVI ") + body
    }

    package static func stream(_ kind: String = "vids", scale: Int = 1, rate: Int = 25) -> [UInt8] {
        SampleSound.chunk(
            "strh",
            .ascii(kind) + .ascii("MJPG") + .zeros(12) + .little32(scale) + .little32(rate)
                + .zeros(4) + .little32(50) + .zeros(20))
    }

    private static func list(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        SampleSound.chunk("LIST", .ascii(kind) + body)
    }

    // MARK: MPEG

    /// A sequence of 352 by 288 pixels at 25 per second.
    ///
    /// MPEG-2 adds four bits to each dimension.
    package static func sequence(
        second: Bool = false, width: Int = 352, height: Int = 288, hasTables: Bool = false
    ) -> [UInt8] {
        let sizes = (width & 0xFFF) << 20 | (height & 0xFFF) << 8 | 1 << 4 | 3
        let more = (1 << 28) | (width >> 12 & 3) << 15 | (height >> 12 & 3) << 13
        return [0, 0, 1, 0xB3] + .big32(sizes)
            + .big32(0x3FFFF << 14 | 1 << 13 | 20 << 3 | (hasTables ? 1 : 0))
            + (hasTables ? [UInt8](repeating: 16, count: 64) : [])
            + (second ? [0, 0, 1, 0xB5] + .big32(more) + .zeros(2) : [])
            + [0, 0, 1, 0xB8] + .zeros(8)
    }

    /// A program stream with the given presentation times, in 90 kHz ticks.
    package static func program(
        second: Bool = true, times: [Int] = [9000, 12_600, 99_000], filler: Int = 200
    ) -> [UInt8] {
        let pack: [UInt8] =
            second
            ? [0, 0, 1, 0xBA, 0x44] + .zeros(8) + [0xFA, 0xFF, 0xFF]
            : [0, 0, 1, 0xBA, 0x21] + .zeros(7)
        let system: [UInt8] = [0, 0, 1, 0xBB] + .big16(6) + .zeros(6)
        let packets = times.enumerated().flatMap { index, time in
            let video = index == 0 ? sequence(second: second) : [0, 0, 1, 0] + .zeros(4)
            return pack + packet(time, second, video + .zeros(filler))
        }
        return pack + system + packets + [0, 0, 1, 0xB9]
    }

    private static func packet(_ time: Int, _ second: Bool, _ video: [UInt8]) -> [UInt8] {
        let stamp: [UInt8] =
            [UInt8(0x21 | time >> 29 & 0xE)] + .big16(time >> 14 & 0xFFFE | 1)
            + .big16(time << 1 & 0xFFFE | 1)
        let front = second ? [0x80, 0x80, 5] + stamp : [0xFF, 0xFF, 0x60, 0x10] + stamp
        let body = front + video
        return [0, 0, 1, 0xE0] + .big16(body.count) + body
    }
}
