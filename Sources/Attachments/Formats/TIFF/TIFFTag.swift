/// Tags that determine the pixels of a TIFF file (TIFF 6.0; its supplement 2 of 2002 for JPEG; the
/// registered tags of libtiff).
enum TIFFTag {
    static let imageWidth: UInt16 = 256
    static let imageLength: UInt16 = 257
    static let bitsPerSample: UInt16 = 258
    static let compression: UInt16 = 259
    static let photometricInterpretation: UInt16 = 262
    static let fillOrder: UInt16 = 266
    static let stripOffsets: UInt16 = 273
    static let orientation: UInt16 = 274
    static let samplesPerPixel: UInt16 = 277
    static let rowsPerStrip: UInt16 = 278
    static let stripByteCounts: UInt16 = 279
    static let planarConfiguration: UInt16 = 284
    static let t4Options: UInt16 = 292
    static let t6Options: UInt16 = 293
    static let predictor: UInt16 = 317
    static let colorMap: UInt16 = 320
    static let tileWidth: UInt16 = 322
    static let tileLength: UInt16 = 323
    static let tileOffsets: UInt16 = 324
    static let tileByteCounts: UInt16 = 325
    static let inkSet: UInt16 = 332
    static let extraSamples: UInt16 = 338
    static let sampleFormat: UInt16 = 339
    static let jpegTables: UInt16 = 347
    static let yCbCrSubSampling: UInt16 = 530
    static let iccProfile: UInt16 = 34675
    /// ImageDescription, Make, Model, Software, DateTime, Artist, HostComputer, XMP, Copyright,
    /// IPTC, Photoshop, Exif, GPS.
    static let metadata: [UInt16] = [
        270, 271, 272, 305, 306, 315, 316, 700, 33432, 33723, 34377, 34665, 34853,
    ]

    /// Tags shown to libtiff, with limits on the bytes of their values; of offsets, libtiff reads
    /// no more than there are strips or tiles.
    static let shown: [UInt16: Int] = [
        imageWidth: 8, imageLength: 8, bitsPerSample: 1024, compression: 8,
        photometricInterpretation: 8, fillOrder: 8, stripOffsets: .max, samplesPerPixel: 8,
        rowsPerStrip: 8, stripByteCounts: .max, planarConfiguration: 8, t4Options: 8, t6Options: 8,
        predictor: 8,
        // Three maps of 16-bit values for 16-bit samples.
        colorMap: 3 * 65536 * 2,
        tileWidth: 8, tileLength: 8, tileOffsets: .max, tileByteCounts: .max, inkSet: 8,
        extraSamples: 1024, sampleFormat: 1024,
        // Four 16-bit quantisation tables and eight Huffman tables take 3 KB (T.81, B.2.4).
        jpegTables: 64 << 10,
        yCbCrSubSampling: 8,
    ]
}

/// Supported compressions (TIFF 6.0, sections 9 to 11 and 13; supplement 2).
///
/// The others are not used for photos, or their memory depends on the file: a dictionary of any
/// size (LZMA, Zstandard), or a whole strip or tile (WebP, JBIG, LERC).
enum TIFFCompression: UInt16 {
    case none = 1
    case ccittRLE = 2
    case ccittFax3 = 3
    case ccittFax4 = 4
    case lzw = 5
    case jpeg = 7
    case adobeDeflate = 8
    case ccittRLEW = 32771
    case packBits = 32773
    case deflate = 32946
}
