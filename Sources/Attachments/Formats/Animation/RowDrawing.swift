enum RowDrawing {
    /// Draws the pixels `range` of a row of RGB or RGBA samples, not premultiplied; `target`
    /// receives the first of them.
    static func draw(
        _ samples: UnsafeRawBufferPointer, bands: Int, _ range: Range<Int>,
        on target: UnsafeMutablePointer<UInt32>, isBlended: Bool
    ) {
        var index = range.lowerBound * bands
        for x in 0..<range.count {
            var pixel =
                UInt32(samples[index]) | UInt32(samples[index &+ 1]) << 8
                | UInt32(samples[index &+ 2]) << 16
            pixel |= bands == 4 ? UInt32(samples[index &+ 3]) << 24 : 0xFF00_0000
            target[x] = isBlended ? over(pixel, target[x]) : pixel
            index &+= bands
        }
    }

    /// The "over" operator (Porter and Duff, "Compositing Digital Images", 1984) for pixels that
    /// are not premultiplied, rounded once.
    @inline(__always)
    static func over(_ pixel: UInt32, _ below: UInt32) -> UInt32 {
        let alpha = pixel >> 24
        if alpha == 255 { return pixel }
        let belowAlpha = below >> 24
        if alpha == 0 { return below }
        if belowAlpha == 0 { return pixel }
        // Both weights in units of 1 / 255².
        let (upper, lower) = (alpha * 255, belowAlpha * (255 - alpha))
        let sum = upper + lower
        var result = ((sum + 127) / 255) << 24
        for shift: UInt32 in [0, 8, 16] {
            let mixed = (pixel >> shift & 255) * upper + (below >> shift & 255) * lower
            result |= ((mixed + sum / 2) / sum) << shift
        }
        return result
    }
}
