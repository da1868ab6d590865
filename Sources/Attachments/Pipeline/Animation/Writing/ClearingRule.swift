/// Decides when to clear a full table of an LZW encoder.
///
/// A full table stays in use while it encodes more pixels per bit than the average since it was
/// empty, which a new one would repeat; by a tenth more, because a new one fits the next pixels.
struct ClearingRule {
    /// Codes after which a full table is judged.
    private static let window = 256

    /// Pixels of the rows before.
    private var start = 0
    /// Pixel and bits at which the table was empty.
    private var clearedAt = 0
    private var bits = 0
    private var windowStart = 0
    private var windowBits = 0
    private var windowCodes = 0

    /// Counts a code.
    @inline(__always)
    mutating func emitted(_ codeSize: Int) { bits &+= codeSize }

    /// True if the table, which is full, should be cleared before the pixel at `place` of this row.
    mutating func isDue(at place: Int) -> Bool {
        let pixel = start &+ place
        if windowCodes == 0 { (windowStart, windowBits) = (pixel, bits) }
        windowCodes &+= 1
        guard windowCodes > Self.window else { return false }
        windowCodes = 0
        // Both ratios of pixels to bits, without division.
        return 10 &* (pixel &- windowStart) &* windowBits
            < 11 &* (windowStart &- clearedAt) &* (bits &- windowBits)
    }

    mutating func clear(at place: Int) {
        (clearedAt, bits, windowCodes) = (start &+ place, 0, 0)
    }

    /// Ends a row.
    mutating func didEncode(_ pixels: Int) { start &+= pixels }
}
