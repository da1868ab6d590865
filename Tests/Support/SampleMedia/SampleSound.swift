/// Small sound files, built field by field.
package enum SampleSound {
    /// A RIFF or IFF chunk, padded to an even length.
    package static func chunk(_ type: String, _ body: [UInt8], big: Bool = false) -> [UInt8] {
        .ascii(type) + (big ? .big32(body.count) : .little32(body.count)) + body
            + .zeros(body.count % 2)
    }

    /// Half a second of 8-bit sound at 8 kHz.
    package static func wav(
        tag: Int = 1, rate: Int = 8000, bytesPerSecond: Int = 8000, fact: Int? = nil,
        data: [UInt8] = .zeros(4000), claimed: Int? = nil
    ) -> [UInt8] {
        let format: [UInt8] =
            .little16(tag) + .little16(1) + .little32(rate) + .little32(bytesPerSecond)
            + .little16(1) + .little16(8)
        let body =
            chunk("LIST", .ascii("INFO")) + chunk("fmt ", format)
            + (fact.map { chunk("fact", .little32($0)) } ?? []) + .ascii("data")
            + .little32(claimed ?? data.count) + data
        return .ascii("RIFF") + .little32(body.count + 4) + .ascii("WAVE") + body
    }

    /// Sound at 44.1 kHz.
    package static func aiff(
        compressed: String? = nil, frames: Int = 22_050, rate: [UInt8] = cdRate,
        soundFirst: Bool = false
    ) -> [UInt8] {
        let common: [UInt8] =
            .big16(1) + .big32(frames) + .big16(8) + rate
            + (compressed.map { .ascii($0) + [0, 0] } ?? [])
        let parts = [
            chunk("COMM", common, big: true), chunk("SSND", .zeros(8 + 300), big: true),
        ]
        let body = (soundFirst ? parts.reversed() : parts).flatMap { $0 }
        return .ascii("FORM") + .big32(body.count + 4)
            + .ascii(compressed == nil ? "AIFF" : "AIFC") + body
    }

    /// 44,100 as an 80-bit floating-point number: 1.0101100010001 × 2¹⁵.
    package static let cdRate: [UInt8] = [0x40, 0x0E, 0xAC, 0x44] + .zeros(6)

    /// A frame of 417 bytes: MPEG-1, layer III, 128 kbit/s, 44.1 kHz, stereo.
    package static func frame(_ content: [UInt8] = []) -> [UInt8] {
        let front: [UInt8] = [0xFF, 0xFB, 0x90, 0x00]
        return front + content + .zeros(417 - front.count - content.count)
    }

    /// Frames with a Xing header, which gives their number, in the first one.
    package static func xing(_ name: String, frames: Int) -> [UInt8] {
        frame(.zeros(32) + .ascii(name) + .big32(1) + .big32(frames))
    }

    package static func vbri(frames: Int) -> [UInt8] {
        frame(.zeros(32) + .ascii("VBRI") + .zeros(10) + .big32(frames))
    }

    package static func mp3(
        tag: Int? = nil, gap: Int = 0, first: [UInt8] = frame(), frames: Int = 10,
        hasOldTag: Bool = false
    ) -> [UInt8] {
        let front = tag.map { length in
            .ascii("ID3") + [4, 0, 0]
                + [21, 14, 7, 0].map { UInt8(length >> $0 & 0x7F) } + .zeros(length)
        }
        let body = (1..<frames).reduce(first) { bytes, _ in bytes + frame() }
        return (front ?? []) + .zeros(gap) + body
            + (hasOldTag ? .ascii("TAG") + .zeros(125) : [])
    }
}
