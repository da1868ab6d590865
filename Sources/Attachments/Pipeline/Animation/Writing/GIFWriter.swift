internal import AttachmentFormats
internal import AttachmentModel

/// Writes the blocks of a GIF around the frame data (GIF89a).
struct GIFWriter {
    let globalPalette: Palette
    private let output: OutputFile

    /// Writes the header; each side is at most 65,535, and a nil `plays` means endless.
    init(
        to output: OutputFile, size: (width: Int, height: Int), globalPalette: Palette, plays: Int?
    ) throws(EncodingStop) {
        (self.output, self.globalPalette) = (output, globalPalette)
        try output.write("GIF89a".utf8)
        try output.write(short: size.width)
        try output.write(short: size.height)
        // Global colour table flag, colour resolution of eight bits, table size; then background
        // colour and aspect ratio, both unused (section 18).
        try output.write([0xF0 | UInt8(globalPalette.bits - 1), 0, 0])
        try writeTable(globalPalette)
        if plays != 1 {
            try output.write([GIFBlock.extension, GIFBlock.Label.application, 11])
            try output.write("NETSCAPE2.0".utf8)
            try output.write([3, 1])
            try output.write(short: plays.map { $0 - 1 } ?? 0)
            try output.write([0])
        }
    }

    /// Writes the blocks before a frame's data; a cleared frame leaves its rectangle blank.
    func beginFrame(
        _ rect: PixelRect, palette: Palette, centiseconds: Int, isCleared: Bool
    ) throws(EncodingStop) {
        // Disposal method and transparency flag (section 23).
        try output.write([
            GIFBlock.extension, GIFBlock.Label.graphicControl, 4, (isCleared ? 2 : 1) << 2 | 1,
        ])
        try output.write(short: centiseconds)
        try output.write([palette.transparentIndex, 0])
        try output.write([GIFBlock.image])
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

    func finish() throws(EncodingStop) {
        try output.write([GIFBlock.trailer])
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
