internal import AttachmentContainer
internal import AttachmentModel

/// Sequence header of MPEG video (ISO/IEC 11172-2, 2.4.2.3; ISO/IEC 13818-2, 6.2.2.1).
struct MPEGSequence {
    let size: PixelSize
    let frameRate: Double
    let isMPEG2: Bool

    static func first(in section: Cursor) throws(HeaderFault) -> MPEGSequence? {
        var cursor = section
        while try cursor.skipToStartCode() {
            var header = cursor.advanced(by: StartCode.length)
            guard try cursor.startCode() == StartCode.sequence else { continue }
            if let sequence = try MPEGSequence(&header) { return sequence }
        }
        return nil
    }

    /// Nil if invalid, truncated or wrongly followed.
    init?(_ cursor: inout Cursor) throws(HeaderFault) {
        guard cursor.remaining >= 8 else { return nil }
        let (sizes, rest) = (Int(try cursor.uint32()), Int(try cursor.uint32()))
        let (aspect, rate) = (sizes >> 4 & 15, sizes & 15)
        // Bit rate (18), marker (1), buffer size (10), constrained (1), and a flag for tables.
        guard aspect != 0, aspect != 15, Self.frameRates.indices.contains(rate - 1),
            rest >> 13 & 1 == 1
        else { return nil }
        let tables: Int
        if rest & 2 == 2 {
            // The first table begins with the last bit read; its last bit flags a second table.
            guard cursor.remaining >= 64 else { return nil }
            var last = cursor.advanced(by: 63)
            tables = try last.uint8() & 1 == 1 ? 128 : 64
        } else {
            tables = rest & 1 == 1 ? 64 : 0
        }
        guard cursor.remaining >= tables + 4 else { return nil }
        try cursor.skip(tables)
        let next = try cursor.startCode()
        var (width, height) = (sizes >> 20, sizes >> 8 & 0xFFF)
        if next == StartCode.sequenceExtension, cursor.remaining >= 4 {
            let bits = Int(try cursor.uint32())
            guard bits >> 28 == 1 else { return nil }
            // Profile and level (8), progressive (1), chroma (2), then two bits per side.
            width |= (bits >> 15 & 3) << 12
            height |= (bits >> 13 & 3) << 12
            isMPEG2 = true
        } else {
            guard let next, StartCode.afterSequence.contains(next) else { return nil }
            isMPEG2 = false
        }
        guard width > 0, height > 0 else { return nil }
        size = PixelSize(width: width, height: height)
        frameRate = Self.frameRates[rate - 1]
    }

    /// Frame rates by code, from 1 (ISO/IEC 13818-2, table 6-4).
    private static let frameRates = [
        24_000.0 / 1001, 24, 25, 30_000.0 / 1001, 30, 50, 60_000.0 / 1001, 60,
    ]
}

/// Start codes of MPEG streams, after the bytes 0, 0, 1 (ISO/IEC 13818-1, table 2-22; ISO/IEC
/// 13818-2, table 6-1).
enum StartCode {
    static let length = 4
    static let picture: UInt8 = 0x00
    static let userData: UInt8 = 0xB2
    static let sequence: UInt8 = 0xB3
    static let sequenceExtension: UInt8 = 0xB5
    static let groupOfPictures: UInt8 = 0xB8
    static let pack: UInt8 = 0xBA
    static let systemHeader: UInt8 = 0xBB
    /// Codes that may follow an MPEG-1 sequence header.
    static let afterSequence: Set = [picture, userData, groupOfPictures, sequence]
    static let audioStreams: ClosedRange<UInt8> = 0xC0...0xDF
    static let videoStreams: ClosedRange<UInt8> = 0xE0...0xEF
}

extension Cursor {
    /// Reads a start code; leaves the cursor in place and returns nil at other bytes.
    mutating func startCode() throws(HeaderFault) -> UInt8? {
        guard try starts(withBytes: [0, 0, 1]), remaining >= StartCode.length else { return nil }
        return UInt8(try uint32() & 0xFF)
    }

    mutating func skipToStartCode() throws(HeaderFault) -> Bool {
        while remaining >= StartCode.length {
            if try starts(withBytes: [0, 0, 1]) { return true }
            try skip(1)
        }
        try skip(remaining)
        return false
    }
}
