package import AttachmentModel

/// Sharp chroma edges and flat areas of an RGB picture, counted in blocks of 2 × 2 pixels.
///
/// 4:2:0 blurs coloured text and lines, which have sharp edges on flat areas. Photographs have noise
/// instead of flat areas, and 4:4:4 costs them more bytes at quality 80: 20 to 66 % by `CJPEGEncoder`,
/// whose tables keep more of chroma (17 photographs), and 14 to 55 % by libjpeg-turbo, which libvips
/// uses (38 photographs and scans).
package struct ChromaDetail {
    /// Rows between the pairs of rows that are counted.
    package static let rowStep = 8

    private var blocks = 0
    private var sharpBlocks = 0
    private var flatBlocks = 0

    package init() {}

    /// True if full chroma is worth an attempt: at least 1 in 2,000 blocks is sharp and half of them
    /// are flat.
    ///
    /// Pages with coloured text have 1.7 to 8.8 % and 73 %; most photographs fail both.
    package var isSharp: Bool {
        sharpBlocks > 0 && 2_000 * sharpBlocks >= blocks && 2 * flatBlocks >= blocks
    }

    /// Counts the blocks of two adjacent rows.
    ///
    /// - Parameters:
    ///   - rows: The upper row, then the lower one, interleaved.
    ///   - bands: Samples a pixel, of which the first three are RGB.
    package mutating func add(_ rows: UnsafeBufferPointer<UInt8>, bands: Int) {
        let stride = rows.count / 2
        var x = 0
        while x + 2 * bands <= stride {
            add(rows, (x, x + bands, stride + x, stride + x + bands))
            x += 2 * bands
        }
    }

    private mutating func add(
        _ rows: UnsafeBufferPointer<UInt8>, _ pixels: (Int, Int, Int, Int)
    ) {
        blocks += 1
        let (first, second) = (rows.colour(at: pixels.0), rows.colour(at: pixels.1))
        let (third, fourth) = (rows.colour(at: pixels.2), rows.colour(at: pixels.3))
        guard first != second || first != third || first != fourth else {
            flatBlocks += 1
            return
        }
        let least = pointwiseMin(pointwiseMin(first, second), pointwiseMin(third, fourth))
        let most = pointwiseMax(pointwiseMax(first, second), pointwiseMax(third, fourth))
        let range = most &- least
        if range.max() <= 1 {
            flatBlocks += 1
            return
        }
        // The range of chroma is at most half of the ranges of the colours together.
        guard range.wrappedSum() >= 2 * Self.sharpEdge else { return }
        // Two samples of chroma a pixel.
        let left = SIMD4(lowHalf: first.chroma, highHalf: second.chroma)
        let right = SIMD4(lowHalf: third.chroma, highHalf: fourth.chroma)
        let (low, high) = (pointwiseMin(left, right), pointwiseMax(left, right))
        let chroma =
            pointwiseMax(high.lowHalf, high.highHalf) &- pointwiseMin(low.lowHalf, low.highHalf)
        if chroma.max() >= Self.sharpEdge { sharpBlocks += 1 }
    }

    /// Least range of a block's chroma that 4:2:0 visibly blurs: a fifth of all levels.
    private static let sharpEdge: Int32 = 48
}

extension AttachmentHeader {
    /// True if the decoded picture may have chroma sharper than 4:2:0 keeps.
    ///
    /// False for JPEG, whose chroma is halved while it is reduced.
    package var hasFullChroma: Bool {
        let name = coding.subsamplingName
        return format != .jpeg && (name == nil || name == "4:4:4")
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func colour(at index: Int) -> SIMD4<Int32> {
        SIMD4(Int32(self[index]), Int32(self[index + 1]), Int32(self[index + 2]), 0)
    }
}

extension SIMD4<Int32> {
    /// Cb and Cr of RGB around 0, with factors in 1/256 (ITU-T T.871, section 7).
    fileprivate var chroma: SIMD2<Int32> {
        let (red, green, blue) = (self[0], self[1], self[2])
        return SIMD2(
            (128 &* blue &- 43 &* red &- 85 &* green) >> 8,
            (128 &* red &- 107 &* green &- 21 &* blue) >> 8)
    }
}
