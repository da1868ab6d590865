import AttachmentContainer

/// Rows of palette indices, and the palette.
protocol PaletteRows {
    /// Four bytes of RGBA for each colour; alpha is not premultiplied.
    var colours: [UInt8] { get }

    /// True if indices repeat little, as of a dithered photograph.
    var isDithered: Bool { get }

    /// Palette indices of a row, from the top on.
    mutating func next() -> [UInt8]
}

/// The colours of a picture that has at most 256.
struct ExactPalette: PaletteRows {
    let colours: [UInt8]
    let isDithered = false
    private var exact: ExactColours
    private var pixels: PackedPixels
    private var indices: [UInt8] = []
    private var y = 0

    /// Nil for a picture with more colours.
    init?(of pixels: PackedPixels) {
        var (pixels, exact) = (pixels, ExactColours(limit: 256))
        for y in 0..<pixels.size.height {
            pixels.forEach(in: y) { exact.insert($0) }
            guard !exact.hasOverflowed else { return nil }
        }
        (self.pixels, self.exact) = (pixels, exact)
        colours = exact.colours.flatMap { colour in
            (0..<4).map { UInt8(truncatingIfNeeded: colour >> (8 * $0)) }
        }
        indices.reserveCapacity(pixels.size.width)
    }

    mutating func next() -> [UInt8] {
        indices.removeAll(keepingCapacity: true)
        // Every colour is known.
        pixels.forEach(in: y) { indices.append(UInt8(exact.insert($0) ?? 0)) }
        y += 1
        return indices
    }
}
