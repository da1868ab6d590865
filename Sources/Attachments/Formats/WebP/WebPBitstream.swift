internal import AttachmentContainer
internal import AttachmentModel

struct WebPBitstream {
    let size: PixelSize
    let isLossless: Bool
    let hasAlpha: Bool

    init(_ body: inout Cursor, isLossless: Bool) throws(HeaderFault) {
        self.isLossless = isLossless
        if isLossless {
            // RFC 9649, section 3: a signature, then width, height, alpha and version in 32 bits.
            let signature = try body.uint8()
            let fields = try body.uint32()
            guard signature == 0x2F, fields >> 29 == 0 else {
                throw .corrupt("no lossless WebP picture", at: body.offset - 5)
            }
            size = PixelSize(
                width: Int(fields & 0x3FFF) + 1, height: Int(fields >> 14 & 0x3FFF) + 1)
            hasAlpha = fields >> 28 & 1 == 1
        } else {
            // RFC 6386, section 9.1: a frame tag of three bytes (lowest bit 0 in a key frame), a
            // start code, then 14 bits of width and height, each with two bits of scaling above.
            let tag = try body.uint24()
            guard tag & 1 == 0, try body.uint24() == 0x2A019D else {
                throw .corrupt("no VP8 key frame", at: body.offset - 3)
            }
            let (width, height) = (try body.uint16(), try body.uint16())
            size = try PixelSize(claimed: Int(width & 0x3FFF), Int(height & 0x3FFF))
            hasAlpha = false
        }
    }
}

extension Cursor {
    mutating func uint24() throws(HeaderFault) -> Int {
        Int(try uint16()) | Int(try uint8()) << 16
    }
}
