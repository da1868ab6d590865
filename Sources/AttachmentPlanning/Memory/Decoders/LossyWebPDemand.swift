/// What the bounded decoder of lossy WebP holds on the heap at its peak, in bytes.
///
/// The decoded picture and the coded one lie there only while each is short; else in scratch files,
/// which are not footprint. Measured (anonymous memory, libwebp 1.2.4): 12 megapixels 0.41 MB, with
/// alpha 0.57 MB; 48 megapixels 0.79 MB; 16,383 pixels a row 2.12 MB.
enum LossyWebPDemand {
    /// What lies on the heap at most of the decoded picture and of the coded one each
    /// (`LossyPictureDecoder.heapLimit`, `CodedLossyPicture.heapLimit`).
    private static let heapLimit = 65_536.0
    /// Of a column of macroblocks: 800 bytes of coefficients and modes, 16 + 8 rows for the loop
    /// filter and as many halves of them, each a byte and a half a pixel, 36 of what is above, and
    /// eight of modes and of the strength of the filter (`AllocateMemory` of libwebp's
    /// `src/dec/frame_dec.c`).
    private static let macroblock = 800.0 + 16 * 36 + 36 + 8
    /// Of a pixel of a row: two more rows for the upsampling of chroma, of which half is luma
    /// (`InitYUV` and `CustomSetup` of libwebp's `src/dec/io_dec.c`).
    private static let upsampledPixel = 2.0
    /// Of a pixel of a scaled row: two sums of four bytes in each of three rescalers, and three
    /// bytes of a row (`InitRGBRescaler`, the same file).
    private static let scaledPixel = 27.0
    /// libwebp's decoder with its tables of probabilities (31 KB), and the windows that the headers
    /// and the picture are read with, 16 KiB each, and the heap's own share.
    private static let fixed = 120_000.0

    /// Bounds the heap that the decoder holds at its peak.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row of the picture.
    ///   - height: Rows of the picture.
    ///   - scaledWidth: Pixels in a row that is asked for; those of the picture when it is not
    ///     scaled.
    ///   - scaledHeight: Rows that are asked for.
    ///   - hasAlpha: Whether there is an alpha plane, with which pictures are not scaled.
    ///   - profileBytes: The length of the ICC profile; 0 when there is none.
    /// - Returns: The bytes; they never fall as a picture grows.
    static func bytes(
        width: Int, height: Int, scaledWidth: Int, scaledHeight: Int, hasAlpha: Bool,
        profileBytes: Int
    ) -> Double {
        let across = max(1, Double(width))
        let made =
            hasAlpha
            ? (width: across, height: max(1, Double(height)))
            : (width: max(1, Double(scaledWidth)), height: max(1, Double(scaledHeight)))
        // The coded picture is not known to be shorter than the limit.
        let pictures = min(3 * made.width * made.height, heapLimit) + heapLimit
        let library =
            (across / 16).rounded(.up) * macroblock + across * upsampledPixel
            + made.width * scaledPixel
        // A row of alpha beside the decoder of the plane.
        let alpha =
            hasAlpha
            ? across
                + LosslessWebPDemand.alphaPlaneBytes(
                    width: width, height: height, ringInScratch: true) : 0
        return fixed + pictures + library + alpha + Double(max(0, profileBytes))
    }
}
