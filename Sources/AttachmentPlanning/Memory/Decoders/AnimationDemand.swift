/// What making a GIF of an animation holds on the heap at its peak, in bytes.
///
/// The canvas and the pictures of the size of the output lie in scratch files, which are not footprint,
/// unless they are short. Measured (growth of a process's anonymous memory): a GIF of 1080 × 1080
/// pixels and 120 frames 1.5 MB, an animated WebP of the same size and 60 frames 1.7 MB, an animated
/// PNG of 320 × 240 pixels 1.4 MB.
package enum AnimationDemand {
    /// What lies on the heap at most of the canvas, of what a disposal brings back, and of each of
    /// the three pictures of the size of the output (`FrameMemory.planesOnHeap`).
    private static let planes = 5 * 65_536.0
    /// Two histograms of 32,768 cells of sixteen bytes: of all frames, and of one (`ColourHistogram`).
    private static let histograms = 2 * 524_288.0
    /// What a histogram's cells are copied to for a palette: half of them, more than any film
    /// measured has (sixteen bytes each).
    private static let entries = 262_144.0
    /// The search for colours (`NearestColour`): 4096 cells of four bytes, 32 KiB of lists, points.
    private static let search = 53_248.0
    /// The strings of the encoder (`LZWDictionary`): 8192 slots of eight bytes and 4096 strings of
    /// five.
    private static let strings = 86_016.0
    /// The bytes on their way to the file, the tables of light, and two thumbnails of 4096 points.
    private static let buffers: Double = 39_168
    /// Of a column of the canvas: its weights, four for each of four bytes, and its light.
    private static let canvasColumn: Double = 32
    /// Of a column of the output: a row of light, five of sums, two of differences, where weights
    /// begin, and three rows of pixels.
    private static let outputColumn: Double = 156
    /// Of a frame: its delay, and its place in the schedules of the rungs that are compared.
    private static let frame: Double = 40
    /// A row of a frame with its alpha, and the windows over the file.
    private static let decoding = 4.0
    private static let windows = 32_768.0
    /// Of an animated PNG: an inflater (`Inflate`: the window, a step, the tables of codes, the bits
    /// at hand) and two rows of sixteen bits.
    private static let inflater: Double = 83_136
    /// The rungs of the ladder, and the heap's own share.
    private static let fixed = 150_000.0

    /// Bounds the heap that a conversion holds at its peak.
    ///
    /// - Parameters:
    ///   - format: Of the animation: GIF, WebP or PNG.
    ///   - width: Pixels in a row of the canvas.
    ///   - height: Rows of the canvas.
    ///   - outputWidth: Pixels in a row of the output, at most those of the canvas.
    ///   - frames: How many there are.
    /// - Returns: The bytes; they never fall as an animation grows.
    package static func bytes(
        format: AttachmentFormat, width: Int, height: Int, outputWidth: Int, frames: Int
    ) -> Double {
        let (across, out) = (Double(max(1, width)), Double(max(1, outputWidth)))
        let tables = histograms + entries + search + strings
        let columns = across * (canvasColumn + decoding) + out * outputColumn
        let common = planes + tables + buffers + windows + fixed
        return common + columns + Double(max(0, frames)) * frame + decoder(format, width, height)
    }

    /// Bounds the heap that finding and drawing the most telling frame holds at its peak: the canvas
    /// and what a disposal brings back, two thumbnails, and what decodes.
    ///
    /// - Parameters:
    ///   - format: Of the animation: GIF, WebP or PNG.
    ///   - width: Pixels in a row of the canvas.
    ///   - height: Rows of the canvas.
    ///   - frames: How many there are.
    /// - Returns: The bytes; they never fall as an animation grows.
    package static func stillBytes(
        format: AttachmentFormat, width: Int, height: Int, frames: Int
    ) -> Double {
        let held = planes * 2 / 5 + buffers + windows + fixed
        return held + Double(max(1, width)) * decoding + Double(max(0, frames)) * frame
            + decoder(format, width, height)
    }

    /// What the decoder of one frame takes: of WebP the more costly of both codings.
    private static func decoder(
        _ format: AttachmentFormat, _ width: Int, _ height: Int
    ) -> Double {
        switch format {
        case .webp:
            max(
                LossyWebPDemand.bytes(
                    width: width, height: height, scaledWidth: width, scaledHeight: height,
                    hasAlpha: true, profileBytes: 0),
                LosslessWebPDemand.bytes(
                    width: width, height: height, hasAlpha: true, profileBytes: 0,
                    ringInScratch: true))
        case .png: inflater + 16 * Double(max(1, width))
        default: GIFDemand.bytes(width: width)
        }
    }
}
