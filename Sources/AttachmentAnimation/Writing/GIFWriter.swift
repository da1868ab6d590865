internal import AttachmentDecoding

/// Writes the blocks of a GIF around the data of its frames (GIF89a).
struct GIFWriter {
    /// Colours of frames that bring none of their own.
    let globalPalette: Palette
    private let output: OutputFile

    /// Writes the head of the file.
    ///
    /// - Parameters:
    ///   - output: Gets the bytes.
    ///   - size: Pixels in a row and rows, at most 65,535.
    ///   - globalPalette: Colours of frames that bring none of their own.
    ///   - plays: How often the animation is played; nil for without end.
    /// - Throws: As `OutputFile.write`.
    init(
        to output: OutputFile, size: (width: Int, height: Int), globalPalette: Palette,
        plays: Int?
    ) throws(EncodingStop) {
        (self.output, self.globalPalette) = (output, globalPalette)
        try output.write("GIF89a".utf8)
        try output.write(short: size.width)
        try output.write(short: size.height)
        // A global colour table, eight bits of colour in the source, the size of the table; then the
        // background colour and the shape of pixels, which mean nothing (section 18).
        try output.write([0xF0 | UInt8(globalPalette.bits - 1), 0, 0])
        try writeTable(globalPalette)
        if plays != 1 {
            try output.write([0x21, 0xFF, 11])
            try output.write("NETSCAPE2.0".utf8)
            try output.write([3, 1])
            try output.write(short: plays.map { $0 - 1 } ?? 0)
            try output.write([0])
        }
    }

    /// Writes what stands in front of a frame's data.
    ///
    /// - Parameters:
    ///   - rect: Where it is drawn, with at least one pixel.
    ///   - palette: Its colours.
    ///   - centiseconds: How long it is shown, in hundredths of a second.
    ///   - isCleared: Whether its rectangle is blank before the next frame.
    /// - Throws: As `OutputFile.write`.
    func beginFrame(
        _ rect: PixelRect, palette: Palette, centiseconds: Int, isCleared: Bool
    ) throws(EncodingStop) {
        // Disposal, and that there is a transparent index (section 23).
        try output.write([0x21, 0xF9, 4, (isCleared ? 2 : 1) << 2 | 1])
        try output.write(short: centiseconds)
        try output.write([palette.transparentIndex, 0])
        try output.write([0x2C])
        try output.write(short: rect.left)
        try output.write(short: rect.top)
        try output.write(short: rect.width)
        try output.write(short: rect.height)
        if palette == globalPalette {
            try output.write([0])
        } else {
            try output.write([0x80 | UInt8(palette.bits - 1)])
            try writeTable(palette)
        }
    }

    /// Ends the file.
    ///
    /// - Throws: As `OutputFile.write`.
    func finish() throws(EncodingStop) {
        try output.write([0x3B])
        try output.flush()
    }

    private func writeTable(_ palette: Palette) throws(EncodingStop) {
        var table: [UInt8] = []
        for colour in palette.colours {
            for shift in [0, 8, 16] { table.append(UInt8(truncatingIfNeeded: colour >> shift)) }
        }
        table += Array(repeating: 0, count: (3 << palette.bits) - table.count)
        try output.write(table)
    }
}
