import AttachmentModel

/// Header of a GIF: the logical screen and the global colour table (GIF89a, sections 17 to 19).
struct GIFScreen: Sendable {
    let width: Int
    let height: Int
    let colours: GIFColourTable

    /// A tolerant reader accepts versions other than 87a and 89a.
    init(_ window: inout FileWindow, isTolerant: Bool) throws(DecodingFault) {
        let signature: [UInt8] = [0x47, 0x49, 0x46]  // "GIF"
        for expected in signature where try window.readGIFByte() != expected {
            throw DecodingFault(.corrupt, at: window.offset - 1, "the file is not a GIF")
        }
        var version: [UInt8] = []
        for _ in 0..<3 { version.append(try window.readGIFByte()) }
        let known: [[UInt8]] = [[0x38, 0x37, 0x61], [0x38, 0x39, 0x61]]  // "87a", "89a"
        guard isTolerant || known.contains(version) else {
            throw DecodingFault(.corrupt, at: 3, "an unknown GIF version")
        }
        let (width, height) = (try window.readGIFUInt16(), try window.readGIFUInt16())
        (self.width, self.height) = GIFLogicalScreen.plausibleSize(width, height)
        let flags = try window.readGIFByte()
        _ = try window.readGIFUInt16()  // Background and pixel aspect ratio, ignored by viewers.
        colours = flags & 0x80 == 0 ? GIFColourTable() : try GIFColourTable(&window, flags: flags)
    }

    /// The screen, enlarged to hold the first frame; each side is 1 to 131,070.
    func canvas(for first: GIFFrame) -> (width: Int, height: Int) {
        (max(width, first.rect.right), max(height, first.rect.bottom))
    }
}

extension FileWindow {
    mutating func readGIFByte() throws(DecodingFault) -> UInt8 {
        guard let byte = try readByte() else {
            throw DecodingFault(.truncated, at: offset, "the GIF ends within its header")
        }
        return byte
    }

    /// Reads a little-endian number of two bytes (GIF89a, section 4).
    mutating func readGIFUInt16() throws(DecodingFault) -> Int {
        let low = try readGIFByte()
        return Int(low) | Int(try readGIFByte()) << 8
    }
}
