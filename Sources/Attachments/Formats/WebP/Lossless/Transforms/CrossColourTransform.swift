/// Predicts red from green, and blue from green and red (RFC 9649, section 3.5.2).
final class CrossColourTransform {
    static let blockBytes = 3

    private let grid: BlockGrid
    private let width: Int
    /// Per block green to red, green to blue, red to blue, signed in units of 1/32; in `memory`.
    private let factors: UnsafeMutablePointer<UInt8>
    private let memory: FrameMemory
    private var y = 0

    init(
        _ source: BitSource, width: Int, height: Int, scratch: ScratchSpace?
    ) throws(DecodingFault) {
        let grid = try BlockGrid(source, transformedWidth: width, height: height)
        var image = try EntropyCodedImage(
            nestedIn: source, width: grid.width, height: grid.height, scratch: scratch)
        memory = try FrameMemory(losslessBytes: grid.count * Self.blockBytes, scratch: scratch)
        factors = try memory.start()
        // The nested image has one pixel per block.
        var next = factors
        try image.forEachPixel { pixel in
            next[0] = UInt8(truncatingIfNeeded: pixel)
            next[1] = UInt8(truncatingIfNeeded: pixel >> 8)
            next[2] = UInt8(truncatingIfNeeded: pixel >> 16)
            next += Self.blockBytes
        }
        (self.grid, self.width) = (grid, width)
    }

    /// May change the padding after the row.
    func undo(_ row: PixelRow) {
        let first = grid.index(x: 0, y: y)
        for block in 0..<grid.width {
            let offset = (first + block) * Self.blockBytes
            let start = block << grid.bits
            Self.undo(
                row.pixels + start, count: min(width - start, 1 << grid.bits),
                greenToRed: factors[offset], greenToBlue: factors[offset + 1],
                redToBlue: factors[offset + 2])
        }
        y += 1
    }

    /// Restores four pixels at a time: padding follows the last block, which may be narrower.
    private static func undo(
        _ pixels: UnsafeMutablePointer<UInt32>, count: Int, greenToRed: UInt8, greenToBlue: UInt8,
        redToBlue: UInt8
    ) {
        typealias Halves = SIMD8<Int16>
        // A pixel has two halves: green and blue in the lower, alpha and red in the upper.
        var green = Halves(repeating: signed(greenToBlue))
        var red = Halves.zero
        for pixel in 0..<4 {
            green[2 * pixel + 1] = signed(greenToRed)
            red[2 * pixel] = signed(redToBlue)
        }
        let upper = SIMD4<UInt32>(repeating: 0xFF00_FF00)
        let lower = SIMD4<UInt32>(repeating: 0x00FF_00FF)
        let greens = SIMD4<UInt32>(repeating: 0x0000_FF00)
        let base = UnsafeMutableRawPointer(pixels)
        for offset in stride(from: 0, to: count * 4, by: 16) {
            let word = base.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt32>.self)
            // Signed green in both halves; the product with a factor fits in 16 bits.
            let above = word & greens
            let both = unsafeBitCast(above | above &<< 16, to: Halves.self) &>> 8
            let byGreen = unsafeBitCast((both &* green) &>> 5, to: SIMD4<UInt32>.self)
            // The lower bytes of the sums are red and blue; no carry reaches them.
            let halves = unsafeBitCast(word & lower, to: SIMD8<UInt16>.self)
            let sum = halves &+ unsafeBitCast(byGreen & lower, to: SIMD8<UInt16>.self)
            let coloured = unsafeBitCast(sum, to: SIMD4<UInt32>.self) & lower
            // The restored red, in the half of blue.
            let reds = unsafeBitCast((coloured &>> 16) &<< 8, to: Halves.self) &>> 8
            let byRed = unsafeBitCast((reds &* red) &>> 5, to: SIMD8<UInt16>.self)
            let whole = unsafeBitCast(coloured, to: SIMD8<UInt16>.self) &+ byRed
            let result = word & upper | unsafeBitCast(whole, to: SIMD4<UInt32>.self) & lower
            base.storeBytes(of: result, toByteOffset: offset, as: SIMD4<UInt32>.self)
        }
    }

    private static func signed(_ factor: UInt8) -> Int16 { Int16(Int8(bitPattern: factor)) }
}
