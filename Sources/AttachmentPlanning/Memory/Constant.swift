/// The measured constants of plans, in bytes, in bytes a pixel, or in rows.
enum Constant {
    /// The second, small decode, the banner and the placeholder, and libvips' operations for them, at
    /// least.
    static let banner = 1_100_000.0
    /// What the large picture leaves of the heap that the banner cannot use.
    static let holesBeforeBanner = 250_000.0
    static let jpegDecoder = 400_000.0
    static let pngDecoder = 400_000.0
    static let webpDecoder = 500_000.0
    static let webpRow = 60.0
    static let gifDecoder = 500_000.0
    static let heicDecoder = 4_000_000.0
    static let avifDecoder = 4_000_000.0
    static let tiffDecoder = 800_000.0
    /// A held picture of up to 64 KiB is not worth a scratch file.
    static let heldInMemory = 65_536.0
    /// What of a decoder stays while rows are read, at least: holes in the heap.
    static let decodedFrame = 150_000.0
    static let jpegEncoder = 300_000.0
    static let pngEncoder = 550_000.0
    /// Rows of the source that wait somewhere between the decoder and the box filter.
    static let rowsBeforeBox = 20.0
    /// libpng's own, and those of very wide pictures.
    static let pngRowsBeforeBox = 33.0
    /// Of floats, made for a row at a time, and as many more of samples that the decoder keeps.
    static let transparentRowsBeforeBox = 8.0
    /// Rows of six lobes at a reduction of nearly three, for two of their results at once, and
    /// copies of them between the steps; in a heap with holes.
    static let rowsBeforeKernel = 145.0
    /// The same with premultiplied rows, which are kept apart, and with the floats of both ways.
    static let transparentRowsBeforeKernel = 180.0
    /// How often a row of a picture that is shorter than all of these is held at the most (measured:
    /// 65,535 × 1, 4, 16 and 70 pixels).
    static let copiesOfRows = 8.0
    /// Rows for each row of the result where no box filter goes before the kernel.
    static let kernelRows = 36.0
    /// The same where premultiplied rows are kept apart.
    static let transparentKernelRows = 45.0
    /// Blocks are padded to whole units, which shows in small pictures.
    static let blockPadding = 1.05
    /// Decoders pad rows to whole blocks of 64.
    static let rowPadding = 1.1
    /// libvips blends frames of WebP at the size of the rendition, four bytes a pixel and twice.
    static let webpPixel = 8.0
    static let inkConversion = 3_000_000.0
    static let rgbConversion = 800_000.0
    /// What of a conversion and its profile is smaller than the blocks that can be placed in a scratch
    /// file, and the holes that it leaves.
    static let placedConversion = 1_500_000.0
}
