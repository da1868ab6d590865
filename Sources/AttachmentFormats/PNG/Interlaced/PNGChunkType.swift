/// Four-letter chunk type (PNG specification, third edition, 5.3 and 5.4).
struct PNGChunkType: RawRepresentable, Hashable, ExpressibleByStringLiteral {
    /// The four bytes, the first one most significant.
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    init(stringLiteral text: String) {
        rawValue = text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    static let imageHeader: PNGChunkType = "IHDR"
    static let palette: PNGChunkType = "PLTE"
    static let imageData: PNGChunkType = "IDAT"
    static let imageEnd: PNGChunkType = "IEND"
    static let transparency: PNGChunkType = "tRNS"
    static let animationControl: PNGChunkType = "acTL"
    static let frameControl: PNGChunkType = "fcTL"
    static let frameData: PNGChunkType = "fdAT"

    static let colourProfile: PNGChunkType = "iCCP"

    /// True for ancillary chunks that affect how pixels look (11.3.1 and 11.3.2).
    var affectsColour: Bool {
        [.transparency, .colourProfile, "cHRM", "gAMA", "sRGB"].contains(self)
    }

    /// True if all four bytes are letters, as required (5.3).
    var isLegal: Bool {
        bytes.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
    }

    /// True if a decoder may skip the chunk: its first letter is lowercase (5.4).
    var isAncillary: Bool { rawValue & 0x2000_0000 != 0 }

    var bytes: [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: rawValue >> $0) }
    }
}

extension PNGChunkType: CustomStringConvertible {
    /// The letters, or the bytes in hexadecimal if they are not letters.
    var description: String {
        isLegal ? String(decoding: bytes, as: UTF8.self) : "0x" + String(rawValue, radix: 16)
    }
}

/// Length and type of a chunk.
struct PNGChunkHeader {
    /// Bytes of length and type.
    static let byteCount = 8
    /// Bytes of the checksum after the data.
    static let checksumBytes = 4

    /// Bytes of data.
    let length: Int
    let type: PNGChunkType
}
