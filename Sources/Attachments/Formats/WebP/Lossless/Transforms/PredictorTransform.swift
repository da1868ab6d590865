/// Predictor transform: residuals against a prediction per block (RFC 9649, section 3.5.1).
final class PredictorTransform {
    let width: Int
    private let grid: BlockGrid
    /// Two modes per byte, even blocks in the lower half.
    private var modes: [UInt8]
    /// Has room for one more pixel.
    private var above: PixelRow
    private var y = 0

    init(
        _ source: BitSource, width: Int, height: Int, scratch: ScratchSpace?
    ) throws(DecodingFault) {
        let grid = try BlockGrid(source, transformedWidth: width, height: height)
        var image = try EntropyCodedImage(
            nestedIn: source, width: grid.width, height: grid.height, scratch: scratch)
        var modes = [UInt8](repeating: 0, count: (grid.count + 1) / 2)
        var index = 0
        try image.forEachPixel { pixel in
            modes[index >> 1] |=
                UInt8(truncatingIfNeeded: pixel >> 8 & 15) << UInt8(4 * (index & 1))
            index += 1
        }
        (self.grid, self.width, self.modes) = (grid, width, modes)
        above = PixelRow(width: width)
    }

    /// Turns residuals into pixels and returns a row for the next residuals; keeps the given row,
    /// which must not change, until the next call.
    func undo(_ row: PixelRow) -> PixelRow {
        let pixels = row.pixels
        if y == 0 {
            // The first row has only black and the left pixel as predictions.
            pixels[0] &+= Predictor.black
            if width > 1 { Predictor.addLeft(pixels, 1..<width) }
        } else {
            undo(pixels, above.pixels)
        }
        y += 1
        let free = above
        above = row
        return free
    }

    private func undo(_ pixels: Predictor.Row, _ above: Predictor.Row) {
        pixels[0] = pixels[0].addingChannels(above[0])
        above[width] = pixels[0]
        let first = grid.index(x: 0, y: y)
        let blocks = grid.width
        modes.withUnsafeBufferPointer { modes in
            // Block indices stay inside the grid, and each block has half a byte.
            func mode(_ block: Int) -> Int {
                let number = first &+ block
                return Int(modes[number &>> 1] &>> UInt8(4 &* (number & 1)) & 15)
            }
            var block = 0
            while block < blocks {
                let current = mode(block)
                var next = block &+ 1
                while next < blocks, mode(next) == current { next &+= 1 }
                let start = max(1, block &<< grid.bits)
                let end = min(width, next &<< grid.bits)
                if start < end { Predictor.undo(current, pixels, above, start..<end) }
                block = next
            }
        }
    }
}
