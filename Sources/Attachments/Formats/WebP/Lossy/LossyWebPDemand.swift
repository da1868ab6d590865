/// Peak heap of the bounded decoder for lossy WebP, in bytes.
///
/// Decoded and coded pictures lie on the heap only while small; larger ones lie in scratch files,
/// which are not footprint. Measured anonymous memory (libwebp 1.2.4): 12 megapixels 0.41 MB, with
/// alpha 0.57 MB; 48 megapixels 0.79 MB; 16,383 pixels a row 2.12 MB.
enum LossyWebPDemand {
    /// `LossyPictureDecoder.heapLimit` and `CodedLossyPicture.heapLimit`.
    private static let heapLimit = 65_536.0
    /// Per macroblock column: 800 bytes of coefficients and modes; 24 loop-filter rows with chroma,
    /// at
    /// 1.5 bytes a pixel; 36 bytes of context above; 8 bytes of modes and filter strength
    /// (`AllocateMemory` in libwebp's `src/dec/frame_dec.c`).
    private static let macroblock = 800.0 + 16 * 36 + 36 + 8
    /// Per pixel of a row: two more rows for chroma upsampling, half of them luma (`InitYUV` and
    /// `CustomSetup` in libwebp's `src/dec/io_dec.c`).
    private static let upsampledPixel = 2.0
    /// Per pixel of a scaled row: two four-byte sums in each of three rescalers, and three bytes of
    /// output (`InitRGBRescaler`, same file).
    private static let scaledPixel = 27.0
    /// Per pixel of a row of planes, reduced to half at most: two four-byte sums in each of three
    /// rescalers, of which two have half the columns (`InitYUVRescaler`, same file).
    private static let pixelOfPlanes = 8.0
    /// libwebp's decoder with probability tables (31 KB), two file windows of 16 KiB, overhead.
    private static let fixed = 120_000.0

    /// Per macroblock column with a thread for the loop filter: 800 bytes of coefficients and modes of
    /// the row being filtered, 32 rows with chroma, and 4 bytes of filter strength (same function).
    private static let filteredMacroblock = 800.0 + 32 * 24 + 4
    /// Touched pages of the filter's thread, and its control block.
    private static let filterThread = 32_768.0

    /// Upper bound on what a thread for the loop filter adds.
    static func secondThread(width: Int) -> Double {
        (max(1, Double(width)) / 16).rounded(.up) * filteredMacroblock + filterThread
    }

    /// Upper bound, of rows and of planes; the scaled size is the requested one, unused for pictures
    /// with alpha.
    static func bytes(
        width: Int, height: Int, scaledWidth: Int, scaledHeight: Int, hasAlpha: Bool,
        profileBytes: Int
    ) -> Double {
        let across = max(1, Double(width))
        let made = hasAlpha ? across : max(1, Double(scaledWidth))
        // The coded picture may be longer than the limit. Planes are not scaled to the requested size.
        let pictures = min(3 * across * max(1, Double(height)), heapLimit) + heapLimit
        let library =
            (across / 16).rounded(.up) * macroblock + across * upsampledPixel
            + (hasAlpha ? 0 : max(made * scaledPixel, across * pixelOfPlanes))
        // Besides the alpha plane's decoder: its row, and for planes a row of luma with alpha, the
        // alpha of luma, and the alpha of chroma with its sums.
        let alpha =
            hasAlpha
            ? 5.5 * (across + 1)
                + LosslessWebPDemand.alphaPlaneBytes(
                    width: width, height: height, ringInScratch: true) : 0
        return fixed + pictures + library + alpha + Double(max(0, profileBytes))
    }
}
