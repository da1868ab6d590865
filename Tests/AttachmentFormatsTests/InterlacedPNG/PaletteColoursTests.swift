import CPredictors
import Randomness
import Testing

@Suite("Colours of pixels with a palette")
struct PaletteColoursTests {
    /// A word of the next pixels must not overrun the row.
    @Test("Rows of any length are written to their last byte", arguments: [3, 4])
    func lengths(bands: Int) {
        var random = SplitMix64(seed: 21)
        let colours = (0..<256).map { _ in UInt32(truncatingIfNeeded: random.next()) }
        for count in 0..<70 {
            let indices = (0..<count).map { _ in UInt8(random.next() & 0xFF) }
            var pixels = [UInt8](repeating: 7, count: count * bands + 8)
            thimble_write_colours(indices, count, colours, bands, &pixels)
            let expected = indices.flatMap { index in
                (0..<bands).map { UInt8(colours[Int(index)] >> UInt32(8 * $0) & 0xFF) }
            }
            #expect(pixels == expected + [UInt8](repeating: 7, count: 8))
        }
    }
}
