/// Peak heap in bytes; every term is a ceiling that the decoder enforces.
enum LosslessWebPDemand {
    /// Upper bound for a lossless picture; it never falls as a picture grows.
    ///
    /// The codes of a picture without alpha may have alpha too.
    static func bytes(
        width: Int, height: Int, profileBytes: Int, ringInScratch: Bool = false
    ) -> Double {
        ring(width, height, pixelBytes: 4, ringInScratch)
            + otherTerms(width, height, ringInScratch)
            + Double(max(0, profileBytes))
    }

    /// Upper bound for the alpha plane of a lossy picture, without its colours.
    static func alphaPlaneBytes(width: Int, height: Int, ringInScratch: Bool = false) -> Double {
        // Green and the differences' alpha; plus the row above, for the filter.
        ring(width, height, pixelBytes: 2, ringInScratch)
            + otherTerms(width, height, ringInScratch) + Double(max(0, width))
    }

    /// Maximum heap share with scratch space (`FrameMemory.init(losslessBytes:)`).
    private static let heapLimit = 65_536.0

    /// Coded pixels within reach of back-references: at most 2^20 − 120 (RFC 9649, 3.6.2.2).
    private static func ring(
        _ width: Int, _ height: Int, pixelBytes: Double, _ isInScratch: Bool
    ) -> Double {
        let bytes = min(Double(max(0, width)) * Double(max(0, height)), 1_048_576) * pixelBytes
        return isInScratch ? min(bytes, heapLimit) : bytes
    }

    private static func otherTerms(_ width: Int, _ height: Int, _ isInScratch: Bool) -> Double {
        rows(width) + transforms(width, height, isInScratch) + groups + prefixCodes + buffers
    }

    /// Four-byte rows: current, above, and one more when the predictor is not the last transform.
    private static func rows(_ width: Int) -> Double { 12 * Double(max(0, width)) }

    /// Half a byte for each block's predictor, three for its colours
    /// (`BlockGrid.maxTransformBlocks`).
    private static func transforms(_ width: Int, _ height: Int, _ isInScratch: Bool) -> Double {
        func blocks(_ side: Double) -> Double {
            (Double(max(0, width)) / side).rounded(.up)
                * (Double(max(0, height)) / side).rounded(.up)
        }
        let most = max(blocks(16), min(blocks(8), 65_536), min(blocks(4), 16_384))
        return most * 0.5 + (isInScratch ? min(most * 3, heapLimit) : most * 3)
    }

    /// Two bytes for each block's group (`EntropyBlocks.maxBlocks`), eight for the group's
    /// position.
    private static let groups = 10.0 * 8_192

    /// Kept tables (`PrefixCodeGroups.maxBytes`), one more, and 1,024 positions in 20 bytes each.
    private static let prefixCodes = 393_216.0 + 10_008 + 20_480

    /// Read buffer and window of 16 KiB each, colour cache, code lengths, palette, heap overhead.
    private static let buffers = 96_000.0
}
