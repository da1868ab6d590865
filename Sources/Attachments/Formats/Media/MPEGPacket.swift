import AttachmentModel

/// Packet of a program stream (ISO/IEC 11172-1, 2.4.3.3; ISO/IEC 13818-1, 2.4.3.6).
struct MPEGPacket {
    static let clock = 90_000.0

    let stream: UInt8
    /// Presentation time, in ticks modulo 2³³; nil if absent.
    let presentation: Int?
    let payload: Cursor

    var isMedia: Bool {
        StartCode.audioStreams.contains(stream) || StartCode.videoStreams.contains(stream)
    }

    init(_ stream: UInt8, _ cursor: inout Cursor) throws(HeaderFault) {
        self.stream = stream
        let length = Int(try cursor.uint16())
        var body = cursor.prefix(length)
        try cursor.skip(min(length, cursor.remaining))
        guard StartCode.audioStreams.contains(stream) || StartCode.videoStreams.contains(stream)
        else {
            (presentation, payload) = (nil, body)
            return
        }
        presentation = try Self.header(&body)
        payload = body
    }

    /// Skips the packet's header; returns its presentation time, or nil if absent or truncated.
    private static func header(_ body: inout Cursor) throws(HeaderFault) -> Int? {
        guard body.remaining >= 3 else { return nil }
        var look = body
        if try look.uint8() & 0xC0 == 0x80 {
            let flags = try look.uint8()
            let length = Int(try look.uint8())
            var fields = look.prefix(length)
            body = look.advanced(by: length)
            return flags & 0x80 == 0 ? nil : try time(&fields)
        }
        // MPEG-1: at most 16 stuffing bytes, then an optional buffer size.
        for _ in 0..<16 where body.remaining > 0 {
            guard try body.reader.byte(at: body.offset) == 0xFF else { break }
            try body.skip(1)
        }
        guard body.remaining > 0 else { return nil }
        if try body.reader.byte(at: body.offset) & 0xC0 == 0x40 {
            try body.skip(min(2, body.remaining))
        }
        guard body.remaining > 0 else { return nil }
        let kind = try body.reader.byte(at: body.offset) >> 4
        var fields = body
        switch kind {
        case 2: try body.skip(min(5, body.remaining))
        case 3: try body.skip(min(10, body.remaining))
        default:
            try body.skip(1)
            return nil
        }
        return try time(&fields)
    }

    /// 33 bits in five bytes, with required markers after 3, 15 and 15 bits.
    private static func time(_ cursor: inout Cursor) throws(HeaderFault) -> Int? {
        guard cursor.remaining >= 5 else { return nil }
        let first = Int(try cursor.uint8())
        let (middle, last) = (Int(try cursor.uint16()), Int(try cursor.uint16()))
        guard first & 1 == 1, middle & 1 == 1, last & 1 == 1 else { return nil }
        return (first >> 1 & 7) << 30 | (middle >> 1) << 15 | last >> 1
    }
}
