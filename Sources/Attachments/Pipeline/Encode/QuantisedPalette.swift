import AttachmentContainer
internal import CQuantiser

/// A picture in at most 256 colours with alpha, chosen and dithered by our own quantiser.
final class QuantisedPalette: PaletteRows {
    let colours: [UInt8]
    let isDithered: Bool
    // Owned by this object.
    private let quantiser: OpaquePointer
    private var pixels: PackedPixels
    /// Four bytes of RGBA for each pixel.
    private var row: [UInt8]
    private var indices: [UInt8]
    private var y = 0

    /// Reads all pixels once; nil if memory is short.
    init?(of pixels: PackedPixels) {
        let width = pixels.size.width
        guard let quantiser = thimble_quantiser_new(CInt(clamping: width)) else { return nil }
        self.quantiser = quantiser
        var (pixels, row) = (pixels, [UInt8](repeating: 0, count: 4 * width))
        indices = Array(repeating: 0, count: width)
        for y in 0..<pixels.size.height {
            row.withUnsafeMutableBufferPointer { pixels.write(y, to: $0) }
            thimble_quantiser_count(quantiser, row)
        }
        (self.pixels, self.row) = (pixels, row)
        var colours = [UInt8](repeating: 0, count: 4 * Int(thimble_quantiser_colours))
        let count = thimble_quantiser_choose(quantiser, CInt(thimble_quantiser_colours), &colours)
        isDithered = thimble_quantiser_merged(quantiser)
        self.colours = Array(colours.prefix(4 * Int(count)))
    }

    deinit { thimble_quantiser_free(quantiser) }

    func next() -> [UInt8] {
        row.withUnsafeMutableBufferPointer { pixels.write(y, to: $0) }
        y += 1
        thimble_quantiser_map(quantiser, row, &indices)
        return indices
    }
}
