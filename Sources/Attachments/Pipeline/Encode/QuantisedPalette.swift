import AttachmentContainer
internal import CQuantiser

/// A picture in at most 256 colours with alpha, chosen and dithered by our own quantiser.
final class QuantisedPalette: PaletteRows {
    let colours: [UInt8]
    // Owned by this object.
    private let quantiser: OpaquePointer
    private var pixels: PackedPixels
    /// Four bytes of RGBA for each pixel, whatever the byte order of the processor.
    private var row: [UInt32]
    private var indices: [UInt8]
    private var y = 0

    /// Reads all pixels once; nil if memory is short.
    init?(of pixels: PackedPixels) {
        let width = pixels.size.width
        guard let quantiser = thimble_quantiser_new(CInt(clamping: width)) else { return nil }
        self.quantiser = quantiser
        self.pixels = pixels
        row = Array(repeating: 0, count: width)
        indices = Array(repeating: 0, count: width)
        for y in 0..<pixels.size.height {
            Self.read(y, of: &self.pixels, into: &row)
            row.withUnsafeBytes {
                thimble_quantiser_count(quantiser, $0.bindMemory(to: UInt8.self).baseAddress)
            }
        }
        var colours = [UInt8](repeating: 0, count: 4 * Int(thimble_quantiser_colours))
        let count = thimble_quantiser_choose(quantiser, CInt(thimble_quantiser_colours), &colours)
        self.colours = Array(colours.prefix(4 * Int(count)))
    }

    deinit { thimble_quantiser_free(quantiser) }

    func next() -> [UInt8] {
        Self.read(y, of: &pixels, into: &row)
        y += 1
        row.withUnsafeBytes {
            thimble_quantiser_map(
                quantiser, $0.bindMemory(to: UInt8.self).baseAddress, &indices)
        }
        return indices
    }

    private static func read(_ y: Int, of pixels: inout PackedPixels, into row: inout [UInt32]) {
        row.withUnsafeMutableBufferPointer { row in
            var x = 0
            pixels.forEach(in: y) { pixel in
                row[x] = pixel.littleEndian
                x += 1
            }
        }
    }
}
