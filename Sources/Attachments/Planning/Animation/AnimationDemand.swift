/// Peak heap of an animation's conversion to GIF, in bytes.
///
/// Canvas and output pictures lie in scratch files, which are not footprint, unless they are small
/// or the grant covers them, which then counts them. Plans count the conversion of colours apart,
/// because the stills need one too.
package enum AnimationDemand {
    /// Maximum heap share of the canvas, its copy for disposal, and each of three output pictures
    /// (`FrameMemory.planesOnHeap`).
    private static let planes = 5 * 65_536.0
    /// Two histograms of 16,384 cells of 16 bytes and two for their list: all frames, and one frame
    /// (`ColourHistogram`).
    private static let histograms = 2 * 294_912.0
    /// Copy of histogram cells for a palette, 16 bytes each: half of the cells, more than any
    /// measured film has.
    private static let entries = 131_072.0
    /// Three colour searches (`NearestColour`): of the shared palette, of a frame's own, and one
    /// while a shared palette is made.
    private static let searches = 3 * 67_584.0
    /// Encoder strings (`LZWDictionary`): 8192 slots of four bytes and 4096 strings of five.
    private static let strings = 53_248.0
    /// Buffers for output and stored frames, and three thumbnails of 4096 points.
    private static let buffers: Double = 74_752
    /// Per output column: dithering errors of two rows, four rows of pixels and indices, and a row of
    /// converted pixels.
    private static let outputColumn: Double = 36
    /// Per frame: its delay, its changed pixels, and its entries in three schedules.
    private static let frame: Double = 64
    /// One frame row with alpha, and the windows over the file.
    private static let decoding = 4.0
    private static let windows = 32_768.0
    /// The ladder's rungs, and heap overhead.
    private static let fixed = 100_000.0

    /// Size and limits that bound the conversion.
    package struct Geometry: Sendable {
        let width: Int
        let height: Int
        /// Limits on the output's sides.
        let outputWidth: Int
        let outputHeight: Int
        /// Longer side below which frames are dropped instead.
        let smallestSide: Int

        package init(
            width: Int, height: Int, outputWidth: Int, outputHeight: Int,
            smallestSide: Int = AnimationDemand.smallestSide
        ) {
            (self.width, self.height) = (max(1, width), max(1, height))
            (self.outputWidth, self.outputHeight) = (max(1, outputWidth), max(1, outputHeight))
            self.smallestSide = max(1, smallestSide)
        }

        /// Largest reduction of a side that an attempt may use.
        ///
        /// Sides are rounded down, which matters for sides of few pixels.
        package var largestStep: Double {
            let longest = Double(max(width, height))
            let share = min(
                1, Double(smallestSide) / longest, Double(outputWidth) / Double(width),
                Double(outputHeight) / Double(height))
            let rounding = Double(min(width, height)) * share < 5 ? 2 : 1.25
            return min(AnimationDemand.largestStep, rounding / share)
        }
    }

    /// Default longer side below which frames are dropped instead of reducing the size further;
    /// less would be smaller than the banner's 264.
    package static let smallestSide = 240

    /// Largest reduction of a side: beyond it a resampler takes more than two megabytes.
    private static let largestStep = 64.0

    // MARK: Reduction

    /// Limit on the source rows that a resampler holds, in bytes, unless a few target columns take
    /// more.
    private static let window = 393_216.0
    private static let fewestColumns = 8.0
    /// Upper bound on a resampler's memory with such a window, at any reduction.
    private static let resampler = 655_360.0
    /// RGBA as words of 16 bits.
    private static let windowPixel = 8.0

    /// Target columns that are reduced at once.
    package static func stripWidth(step: Double) -> Int {
        let columns = window / windowPixel / rows(step) - 6 * step - 8
        return Int(max(fewestColumns, columns / step))
    }

    /// Source rows that a resampler holds.
    private static func rows(_ step: Double) -> Double { 6 * step + 10 }

    /// Upper bound on a resampler's memory, whatever the strip.
    private static func reduction(_ geometry: Geometry) -> Double {
        let step = geometry.largestStep
        let demand = { (columns: Double, target: Double) in
            ResamplerDemand.bytes(
                columns: columns, target: target, rows: Double(geometry.height), step: step,
                bands: 4, sampleBytes: 2)
        }
        return min(
            demand(Double(geometry.width), Double(min(geometry.width, geometry.outputWidth))),
            max(resampler, demand((fewestColumns + 6) * step + 8, fewestColumns)))
    }

    // MARK: Totals

    /// Upper bound on the conversion's peak heap; it never falls as an animation grows.
    ///
    /// `decoder` is the heap of the frame decoder.
    package static func bytes(decoder: Double, _ geometry: Geometry, frames: Int) -> Double {
        let tables = histograms + entries + searches + strings
        let columns =
            Double(geometry.width) * decoding
            + Double(min(geometry.width, geometry.outputWidth)) * outputColumn
        let common = planes + tables + buffers + windows + fixed
        return common + columns + reduction(geometry) + Double(max(0, frames)) * frame + decoder
    }

    /// Upper bound on the peak heap for selecting the still frame.
    ///
    /// It covers the canvas, its copy for disposal, three thumbnails and the decoder. It never falls
    /// as an animation grows.
    package static func stillBytes(decoder: Double, width: Int, frames: Int) -> Double {
        let held = planes * 2 / 5 + buffers + windows + fixed
        return held + Double(max(1, width)) * decoding + Double(max(0, frames)) * frame + decoder
    }
}
