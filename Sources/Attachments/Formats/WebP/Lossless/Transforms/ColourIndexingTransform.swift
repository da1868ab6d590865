/// Palette indices, bundled in pixels if the palette is small (RFC 9649, section 3.5.4).
final class ColourIndexingTransform {
    private let width: Int
    /// Indices per pixel as a power of two: 0 to 3.
    private let bits: Int
    /// 256 colours; those after the last are transparent, as in libwebp.
    private var palette = [UInt32](repeating: 0, count: 256)

    init(_ source: BitSource, width: Int) throws(DecodingFault) {
        let count = 1 + (try source.read(8))
        var image = try EntropyCodedImage(nestedIn: source, width: count, height: 1)
        var (palette, index, last) = (palette, 0, UInt32(0))
        try image.forEachPixel { difference in
            last = last.addingChannels(difference)
            palette[index] = last
            index += 1
        }
        self.palette = palette
        self.width = width
        bits = count > 16 ? 0 : count > 4 ? 1 : count > 2 ? 2 : 3
    }

    var bundledWidth: Int { (width + 1 << bits - 1) >> bits }

    /// The row has `bundledWidth` pixels and room for a full row.
    func undo(_ row: PixelRow) {
        let pixels = row.pixels
        palette.withUnsafeBufferPointer { palette in
            guard bits > 0 else {
                for x in 0..<width { pixels[x] = palette[Int(pixels[x] >> 8 & 255)] }
                return
            }
            let perPixel = 1 << bits
            let length = 8 >> bits
            let mask = UInt32(1 << length - 1)
            // Right to left, so that no bundle is overwritten before it is read.
            for bundle in stride(from: bundledWidth - 1, through: 0, by: -1) {
                let indices = pixels[bundle] >> 8
                let start = bundle << bits
                for index in 0..<min(perPixel, width - start) {
                    let entry = indices >> UInt32(index * length) & mask
                    pixels[start + index] = palette[Int(entry)]
                }
            }
        }
    }
}
