/// Length and type of a chunk, and the place of its data (PNG specification, third edition, 5.3).
struct PNGChunk {
    static let headerBytes = 8
    static let checksumBytes = 4

    let type: FourCC
    let length: Int
    let offset: Int

    var end: Int { offset + length + Self.checksumBytes }

    /// True if the type consists of letters, and the length is allowed.
    var isValid: Bool { type.isLegal && length <= Int32.max }
}

extension FileWindow {
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
        self == .transparency || describesColour
    }

    /// True for the chunks of colour space information (11.3.2).
    var describesColour: Bool {
        self == .colourProfile || PNGColourChunks.types.contains(self)
    }

    var isLegal: Bool {
        stride(from: 0, to: 32, by: 8).allSatisfy { (0x41...0x5A).contains(rawValue >> $0 & 0xDF) }
    }

    /// True if a decoder may skip the chunk: its first letter is lowercase (5.4).
    var isAncillary: Bool { rawValue & 0x2000_0000 != 0 }
}
