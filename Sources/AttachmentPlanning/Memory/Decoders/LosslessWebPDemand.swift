/// What the bounded decoder of lossless WebP holds at its peak, in bytes.
///
/// Every term is a ceiling of the decoder, which refuses what passes it: how large blocks are, how
/// many groups of codes there are and whether there is a palette, a header does not say.
enum LosslessWebPDemand {
    /// What decoding a lossless picture takes.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    ///   - hasAlpha: Whether the file or its picture says that there is alpha.
    ///   - profileBytes: The length of the ICC profile; 0 when there is none.
    ///   - ringInScratch: Whether the decoder is given scratch room. The default is false.
    /// - Returns: The bytes; they never fall as a picture grows.
    static func bytes(
        width: Int, height: Int, hasAlpha: Bool, profileBytes: Int, ringInScratch: Bool = false
    ) -> Double {
        ring(width, height, pixelBytes: hasAlpha ? 4 : 3, ringInScratch)
            + beside(width, height, ringInScratch)
            + Double(max(0, profileBytes))
    }

    /// What decoding the alpha plane of a lossy picture takes, beside decoding its colours.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    ///   - ringInScratch: Whether the decoder is given scratch room. The default is false.
    /// - Returns: The bytes; they never fall as a picture grows.
    static func alphaPlaneBytes(
        width: Int, height: Int, ringInScratch: Bool = false
    ) -> Double {
        // Green and the alpha of differences; and the row above, for the filter.
        ring(width, height, pixelBytes: 2, ringInScratch)
            + beside(width, height, ringInScratch) + Double(max(0, width))
    }

    /// What lies on the heap at most where there is scratch room (`FrameMemory.init(losslessBytes:)`).
    private static let heapLimit = 65_536.0

    /// The coded pixels that back-references may reach: 2^20 − 120 at the most (RFC 9649, section
    /// 3.6.2.2).
    private static func ring(
        _ width: Int, _ height: Int, pixelBytes: Double, _ isInScratch: Bool
    ) -> Double {
        let bytes = min(Double(max(0, width)) * Double(max(0, height)), 1_048_576) * pixelBytes
        return isInScratch ? min(bytes, heapLimit) : bytes
    }

    /// All that does not depend on how pixels are kept.
    private static func beside(_ width: Int, _ height: Int, _ isInScratch: Bool) -> Double {
        rows(width) + transforms(width, height, isInScratch) + groups + prefixCodes + buffers
    }

    /// The row that is being decoded, that above it for the predictor, and one to go on in where the
    /// predictor is not the last of the transforms: four bytes a pixel.
    private static func rows(_ width: Int) -> Double { 12 * Double(max(0, width)) }

    /// Half a byte for the predictor of each block and three for its colour transform
    /// (`BlockGrid.maxTransformBlocks`).
    private static func transforms(
        _ width: Int, _ height: Int, _ isInScratch: Bool
    ) -> Double {
        func blocks(_ side: Double) -> Double {
            (Double(max(0, width)) / side).rounded(.up)
                * (Double(max(0, height)) / side).rounded(.up)
        }
        let most = max(blocks(16), min(blocks(8), 65_536), min(blocks(4), 16_384))
        return most * 0.5 + (isInScratch ? min(most * 3, heapLimit) : most * 3)
    }

    /// Two bytes for the group of each block (`EntropyBlocks.maxBlocks`), and eight for where the
    /// group stands.
    private static let groups = 10.0 * 8_192

    /// The tables of groups that are kept (`PrefixCodeGroups.maxBytes`) and of one more, and where
    /// each of 1,024 lies in 20 bytes.
    private static let prefixCodes = 393_216.0 + 10_008 + 20_480

    /// The bytes at hand and their window, 16 KiB each, the colour cache, code lengths, the palette,
    /// and the heap's own share.
    private static let buffers = 96_000.0
}
