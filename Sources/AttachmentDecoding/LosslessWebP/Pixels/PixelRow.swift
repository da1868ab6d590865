/// Room for a row of pixels, alpha in the highest byte, then red, green and blue.
final class PixelRow {
    /// Pixels behind the last that may be written and read, so that loops need no end of their own.
    private static let padding = 8

    /// The first pixel.
    let pixels: UnsafeMutablePointer<UInt32>

    /// What a row holds on the heap, in bytes.
    static func heldBytes(width: Int) -> Int { 4 * (width + padding) }

    /// Makes a row of zeros.
    ///
    /// - Parameter width: Pixels in it.
    init(width: Int) {
        pixels = .allocate(capacity: width + Self.padding)
        pixels.initialize(repeating: 0, count: width + Self.padding)
    }

    deinit { pixels.deallocate() }
}
