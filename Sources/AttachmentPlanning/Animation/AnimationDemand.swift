/// Peak heap of an animation's conversion to GIF, in bytes.
///
/// Canvas and output pictures lie in scratch files, which are not footprint, unless they are small.
/// Measured growth of anonymous memory: 1.5 MB for a GIF of 1080 × 1080 pixels and 120 frames, 1.7
/// MB for an animated WebP of the same size and 60 frames, 1.4 MB for an animated PNG of 320 × 240
/// pixels.
package enum AnimationDemand {
    /// Maximum heap share of the canvas, its copy for disposal, and each of three output pictures
    /// (`FrameMemory.planesOnHeap`).
    private static let planes = 5 * 65_536.0
    /// Two histograms of 32,768 cells of 16 bytes: all frames, and one frame (`ColourHistogram`).
    private static let histograms = 2 * 524_288.0
    /// Copy of histogram cells for a palette, 16 bytes each: half of the cells, more than any
    /// measured film has.
    private static let entries = 262_144.0
    /// Colour search (`NearestColour`): 4096 cells of four bytes, 32 KiB of lists, points.
    private static let search = 53_248.0
    /// Encoder strings (`LZWDictionary`): 8192 slots of eight bytes and 4096 strings of five.
    private static let strings = 86_016.0
    /// Output buffer, linear-light tables, and two thumbnails of 4096 points.
    private static let buffers: Double = 39_168
    /// Per canvas column: weights, four for each of four bytes, and linear light.
    private static let canvasColumn: Double = 32
    /// Per output column: a row of linear light, five of sums, two of differences, weight offsets,
    /// and three rows of pixels.
    private static let outputColumn: Double = 156
    /// Per frame: its delay, and its entries in the schedules of the compared rungs.
    private static let frame: Double = 40
    /// One frame row with alpha, and the windows over the file.
    private static let decoding = 4.0
    private static let windows = 32_768.0
    /// The ladder's rungs, and heap overhead.
    private static let fixed = 150_000.0

    /// Upper bound on the conversion's peak heap; it never falls as an animation grows.
    ///
    /// `decoder` is the heap of the frame decoder.
    package static func bytes(
        decoder: Double, width: Int, outputWidth: Int, frames: Int
    ) -> Double {
        let (across, out) = (Double(max(1, width)), Double(max(1, outputWidth)))
        let tables = histograms + entries + search + strings
        let columns = across * (canvasColumn + decoding) + out * outputColumn
        let common = planes + tables + buffers + windows + fixed
        return common + columns + Double(max(0, frames)) * frame + decoder
    }

    /// Upper bound on the peak heap for selecting and drawing the still frame.
    ///
    /// It covers the canvas, its copy for disposal, two thumbnails and the decoder. It never falls
    /// as an animation grows.
    package static func stillBytes(decoder: Double, width: Int, frames: Int) -> Double {
        let held = planes * 2 / 5 + buffers + windows + fixed
        return held + Double(max(1, width)) * decoding + Double(max(0, frames)) * frame + decoder
    }
}
