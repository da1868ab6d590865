/// Buffer for a row of ARGB pixels, alpha in the highest byte.
final class PixelRow {
    /// Readable and writable pixels after the last, for loops that overrun the row.
    private static let padding = 8

    let pixels: UnsafeMutablePointer<UInt32>

    init(width: Int) {
        pixels = .allocate(capacity: width + Self.padding)
        pixels.initialize(repeating: 0, count: width + Self.padding)
    }

    deinit { pixels.deallocate() }
}
