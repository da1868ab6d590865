import AttachmentIntake

/// The head of a GIF: its logical screen and the colours that all frames share.
struct GIFScreen: Sendable {
    /// Pixels in a row; at least 1.
    let width: Int
    /// Rows; at least 1.
    let height: Int
    /// The colours of frames that bring none of their own.
    let colours: GIFColourTable
    /// The index of the colour around the frames, which viewers do not paint; neither do we.
    let backgroundIndex: UInt8

    /// Reads the header, the logical screen descriptor and the global colour table (GIF89a, sections
    /// 17 to 19).
    ///
    /// - Parameters:
    ///   - window: The file, at its first byte.
    ///   - isTolerant: Whether any version will do, not only 87a and 89a.
    /// - Throws: `DecodingFault` with code `corrupt`, `truncated` or `unreadable`.
    init(_ window: inout FileWindow, isTolerant: Bool) throws(DecodingFault) {
        let signature: [UInt8] = [0x47, 0x49, 0x46]  // "GIF"
        for expected in signature where try window.readGIFByte() != expected {
            throw DecodingFault(.corrupt, at: window.offset - 1, "the file is not a GIF")
        }
        var version: [UInt8] = []
        for _ in 0..<3 { version.append(try window.readGIFByte()) }
        let known: [[UInt8]] = [[0x38, 0x37, 0x61], [0x38, 0x39, 0x61]]  // "87a", "89a"
        guard isTolerant || known.contains(version) else {
            throw DecodingFault(.corrupt, at: 3, "the GIF is of a version that there is not")
        }
        let (width, height) = (try window.readGIFUInt16(), try window.readGIFUInt16())
        (self.width, self.height) = GIFLogicalScreen.plausibleSize(width, height)
        let flags = try window.readGIFByte()
        backgroundIndex = try window.readGIFByte()
        _ = try window.readGIFByte()  // The aspect ratio of a pixel, which nobody heeds.
        colours =
            flags & 0x80 == 0 ? GIFColourTable() : try GIFColourTable(&window, flags: flags)
    }

    /// The canvas that frames are drawn on: the screen, made larger where the first frame goes
    /// beyond it.
    ///
    /// - Parameter first: The first frame.
    /// - Returns: Pixels in a row, and rows; each at least 1 and at most 131,070.
    func canvas(for first: GIFFrame) -> (width: Int, height: Int) {
        (max(width, first.left + first.width), max(height, first.top + first.height))
    }
}

extension FileWindow {
    /// Reads a byte that must be there.
    ///
    /// - Returns: The byte.
    /// - Throws: `DecodingFault` with code `truncated` or `unreadable`.
    mutating func readGIFByte() throws(DecodingFault) -> UInt8 {
        guard let byte = try readByte() else {
            throw DecodingFault(.truncated, at: offset, "the GIF ends within its header")
        }
        return byte
    }

    /// Reads a number of two bytes, the lower one first (GIF89a, section 4).
    ///
    /// - Returns: The number.
    /// - Throws: `DecodingFault` with code `truncated` or `unreadable`.
    mutating func readGIFUInt16() throws(DecodingFault) -> Int {
        let low = try readGIFByte()
        return Int(low) | Int(try readGIFByte()) << 8
    }
}
