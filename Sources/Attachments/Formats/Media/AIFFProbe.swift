internal import AttachmentContainer
internal import AttachmentModel
internal import Foundation

/// Parser for headers (Apple, "Audio Interchange File Format", 1.3; "AIFF-C", draft of 1991).
enum AIFFProbe {
    static func header(_ reader: BoundedReader) throws(HeaderFault) -> MediaHeader {
        var kind = Cursor(reader, from: 8)
        let isCompressible = try kind.fourCC() == "AIFC"
        var chunks = ChunkSequence(Cursor(reader, from: 12))
        var common: Common?
        var sound: Chunk?
        // The order varies.
        while common == nil || sound == nil, var chunk = try chunks.next() {
            switch chunk.type {
            case "COMM": common = try Common(&chunk.payload, isCompressible, at: chunk.start)
            case "SSND": sound = chunk
            default: break
            }
        }
        guard let common else { throw .truncated(at: reader.length) }
        guard sound != nil || common.frames == 0 else { throw .truncated(at: reader.length) }
        return MediaHeader(
            format: .aiff, type: .aiff, coding: common.coding,
            duration: Double(common.frames) / common.rate, endsEarly: sound?.endsEarly ?? false,
            fileBytes: ByteCount(reader.length))
    }

    private struct Common {
        let frames: Int
        let rate: Double
        let coding: String

        init(_ cursor: inout Cursor, _ isCompressible: Bool, at start: Int) throws(HeaderFault) {
            let channels = try cursor.uint16()
            frames = Int(try cursor.uint32())
            try cursor.skip(2)
            let rate = try cursor.extended()
            // Above 10 MHz the sample rate is invalid.
            guard channels > 0, let rate, rate >= 1, rate <= 10_000_000 else {
                throw .corrupt("an AIFF sound without channels or samples", at: start)
            }
            self.rate = rate
            let coding: FourCC = isCompressible ? try cursor.fourCC() : "NONE"
            self.coding = coding == "NONE" ? "pcm" : coding.description
        }
    }
}

extension Cursor {
    /// Reads an 80-bit extended precision number; nil unless positive and finite as a `Double`.
    fileprivate mutating func extended() throws(HeaderFault) -> Double? {
        let head = Int(try uint16())
        let mantissa = try uint64()
        // The sign is the highest bit.
        guard head < 0x7FFF, mantissa > 0 else { return nil }
        let value = scalbn(Double(mantissa), head - 16_383 - 63)
        return value.isFinite && value > 0 ? value : nil
    }
}
