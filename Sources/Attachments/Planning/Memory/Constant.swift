/// Measured constants of plans: bytes, bytes per pixel, or rows.
enum Constant {
    /// Minimum for the second, small decode, banner, placeholder, and libvips' operations for them.
    static let banner = 1_100_000.0
    /// Heap fragmentation left by the large picture, unusable for the banner.
    static let fragmentationBeforeBanner = 250_000.0
    /// Library's decoder of a rendition, JPEG or PNG.
    static let renditionDecoder = 400_000.0
    /// Smaller held pictures are not worth a scratch file.
    static let heldInMemory = 65_536.0
    /// Minimum heap that a decoder leaves behind while rows are read, through fragmentation.
    static let decodedFrame = 150_000.0
    /// Rows, tables and fragmentation of the engine of rows, and what codecs write to their data.
    ///
    /// Measured with 41 pictures in new workers: the whole engine takes 0.25 to 0.9 MB beside the
    /// decoders of HEIF.
    static let rowEngine = 400_000.0
    /// Freed memory in the heaps of a process's threads, which workers do not have.
    static let threadHeaps = 500_000.0
    /// Heap fragmentation left by a rendition, unusable for renditions of further presets.
    static let fragmentationBetweenRenditions = 150_000.0
    /// Heap fragmentation left by libvips, whose caches of rows stay between renditions.
    ///
    /// Measured beyond all other terms: 0.51 MB for a tiled AVIF in four presets.
    static let fragmentationBetweenVipsRenditions = 700_000.0
    static let jpegEncoder = 300_000.0
    static let pngEncoder = 550_000.0
    /// Float rows, made one at a time, plus as many sample rows kept by the decoder.
    static let transparentRowsBeforeBox = 8.0
    /// Rows of six lobes at a reduction of nearly three, for two results at once, plus copies
    /// between the steps and fragmentation.
    static let rowsBeforeKernel = 145.0
    /// `rowsBeforeKernel` with separate premultiplied rows and with floats for both directions.
    static let transparentRowsBeforeKernel = 180.0
    /// Maximum copies of a row in pictures with fewer rows than these constants (measured: 65,535 ×
    /// 1, 4, 16 and 70 pixels).
    static let copiesOfRows = 8.0
    /// Rows for each result row when no box filter precedes the kernel.
    static let kernelRows = 36.0
    /// `kernelRows` with separate premultiplied rows.
    static let transparentKernelRows = 45.0
    /// Tables of 2^16 entries of libvips for a band: light of 16-bit samples and bytes of light, each
    /// built, held and copied.
    static let lightTable = 600_000.0
    static let inkConversion = 3_000_000.0
    /// Table of the engine of rows for inks without a profile, 38 KB, and its source data.
    static let pressConversion = 100_000.0
    static let rgbConversion = 800_000.0
    /// The decoder's copy of a profile for grey or RGB, Little CMS's copy, and its table of 8 bits
    /// twice as words.
    ///
    /// Measured of Little CMS 2.14 with tables of 17 to 87 points a side: at most 5 profiles and 0.31 MB
    /// for words (`mft2`), 7 for bytes (`mft1`).
    static let copiesOfProfile = 8.0
    /// Parts of a conversion and its profile too small for blocks in a scratch file, plus
    /// fragmentation.
    ///
    /// Measured beyond all other terms with a profile of 1 MB: 1.3 MB, and 1.7 MB for a mirrored
    /// picture that is rendered again for its byte ceiling.
    static let placedConversion = 2_000_000.0
    /// `placedConversion` without copies of the profile.
    static let smallConversion = 500_000.0
    /// Copies of a profile in the decoding thread of libvips: as segments of a JPEG or a chunk of a
    /// PNG, and as a field of the picture.
    ///
    /// Measured with profiles of 1 to 3 MB: 2.0, and 0.1 MB.
    static let libraryProfiles = 2.0
}
