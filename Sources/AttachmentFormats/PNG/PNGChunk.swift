/// Length and type of a chunk, and the place of its data (PNG specification, third edition, 5.3).
struct PNGChunk {
    /// Bytes of length and type.
    static let headerBytes = 8
    /// Bytes of the checksum after the data.
    static let checksumBytes = 4

    let type: FourCC
    /// Bytes of data.
    let length: Int
    /// Start of the data in the file.
    let offset: Int

    /// Start of the next chunk.
    var end: Int { offset + length + Self.checksumBytes }

    /// True if the type consists of letters, and the length is allowed.
    var isValid: Bool { type.isLegal && length <= Int32.max }
}

extension FileWindow {
    /// Reads a chunk's length and type; nil if the file ends first.
    mutating func readPNGChunk() throws(DecodingFault) -> PNGChunk? {
        guard let length = try readUInt32(), let type = try readUInt32() else { return nil }
        return PNGChunk(type: FourCC(rawValue: type), length: Int(length), offset: offset)
    }
}

extension FourCC {
    static let imageHeader: FourCC = "IHDR"
    static let palette: FourCC = "PLTE"
    static let imageData: FourCC = "IDAT"
    static let imageEnd: FourCC = "IEND"
    static let transparency: FourCC = "tRNS"
    static let colourProfile: FourCC = "iCCP"
    static let animationControl: FourCC = "acTL"
    static let frameControl: FourCC = "fcTL"
    static let frameData: FourCC = "fdAT"

    /// True for ancillary chunks that affect how pixels look (11.3.1 and 11.3.2).
    var affectsColour: Bool {
        [.transparency, .colourProfile, "cHRM", "gAMA", "sRGB"].contains(self)
    }

    /// True if all four bytes are letters, as required of chunks (5.3).
    var isLegal: Bool {
        bytes.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
    }

    /// True if a decoder may skip the chunk: its first letter is lowercase (5.4).
    var isAncillary: Bool { rawValue & 0x2000_0000 != 0 }
}
