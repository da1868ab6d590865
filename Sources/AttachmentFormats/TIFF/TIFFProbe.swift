internal import AttachmentContainer
internal import AttachmentModel

/// Parser for TIFF headers: the first directory (TIFF 6.0; BigTIFF).
///
/// Further pages are not animation frames.
enum TIFFProbe {
    /// Tags, named as in TIFF 6.0 and its supplements.
    private enum Tag {
        static let imageWidth: UInt16 = 256
        static let imageLength: UInt16 = 257
        static let bitsPerSample: UInt16 = 258
        static let compression: UInt16 = 259
        static let photometricInterpretation: UInt16 = 262
        static let orientation: UInt16 = 274
        static let samplesPerPixel: UInt16 = 277
        static let rowsPerStrip: UInt16 = 278
        static let tileWidth: UInt16 = 322
        static let tileLength: UInt16 = 323
        static let extraSamples: UInt16 = 338
        static let sampleFormat: UInt16 = 339
        static let iccProfile: UInt16 = 34675
        /// ImageDescription, Make, Model, Software, DateTime, Artist, HostComputer, XMP, Copyright,
        /// IPTC, Photoshop, Exif, GPS.
        static let metadata: [UInt16] = [
            270, 271, 272, 305, 306, 315, 316, 700, 33432, 33723, 34377, 34665, 34853,
        ]
    }

    /// Parses a file that begins with a TIFF byte order mark and version.
    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        let directory = try TIFFDirectory(Cursor(reader, from: 0))
        guard let width = try directory.integer(Tag.imageWidth),
            let height = try directory.integer(Tag.imageLength),
            let photometric = try directory.integer(Tag.photometricInterpretation),
            max(width, height) <= UInt32.max
        else { throw .corrupt("a TIFF without a size or photometric interpretation", at: 4) }
        let (model, channels) = try colours(photometric)
        let samples = try directory.integer(Tag.samplesPerPixel) ?? 1
        guard samples == channels || samples == channels + 1 else {
            throw .unsupported("a TIFF of \(samples) samples a pixel")
        }
        if let name = unboundedCompressions[try directory.integer(Tag.compression) ?? 1] {
            throw .unsupported("a TIFF compressed with \(name)")
        }
        let bits = try bitsPerSample(directory)
        // 0 means unspecified (TIFF 6.0, section 18); without the tag, readers assume alpha.
        let isUnspecified = try directory.integer(Tag.extraSamples) == 0
        let profileBytes = directory.count(Tag.iccProfile)
        let size = try PixelSize(claimed: width, height)
        let unit = try unitSize(directory, of: size)
        let coding: TIFFCoding =
            directory.count(Tag.tileWidth) > 0 ? .tiles(unit) : .strips(unit)
        return AttachmentHeader(
            coding, storedSize: size,
            orientation: try directory.integer(Tag.orientation).flatMap(Orientation.init)
                ?? .upright,
            colourModel: model, hasAlpha: samples > channels && !isUnspecified,
            bitsPerSample: bits,
            profileBytes: profileBytes,
            hasMetadata: profileBytes > 0 || Tag.metadata.contains { directory.count($0) > 0 },
            fileBytes: ByteCount(reader.length))
    }

    /// Compressions whose memory use depends on the data rather than the picture size.
    ///
    /// They need a dictionary or a picture of their own.
    private static let unboundedCompressions = [
        34661: "JBIG", 34712: "JPEG 2000", 34887: "LERC", 34925: "LZMA", 50000: "Zstandard",
        50001: "WebP", 50002: "JPEG XL",
    ]

    /// Bits per sample: integers of up to 16 bits or of 32, and floating-point numbers of 32.
    ///
    /// libvips does not scale other samples; they appear as noise or black.
    private static func bitsPerSample(_ directory: TIFFDirectory) throws(HeaderFault) -> Int {
        let bits = try directory.integer(Tag.bitsPerSample) ?? 1
        guard (1...16).contains(bits) || bits == 32 else {
            throw .unsupported("a TIFF of \(bits) bits a sample")
        }
        switch try directory.integer(Tag.sampleFormat) ?? 1 {
        case 1, 4: return bits  // Unsigned, undefined (TIFF 6.0, section 19).
        case 3 where bits == 32: return bits
        case 2: throw .unsupported("a TIFF of signed samples")
        case 3: throw .unsupported("a TIFF of floating-point samples of \(bits) bits")
        default: throw .unsupported("a TIFF of complex samples")
        }
    }

    /// Size of a tile or strip; without a tag, one strip is the whole picture.
    private static func unitSize(
        _ directory: TIFFDirectory, of size: PixelSize
    ) throws(HeaderFault) -> PixelSize {
        if let width = try directory.integer(Tag.tileWidth),
            let height = try directory.integer(Tag.tileLength)
        {
            return PixelSize(width: width, height: height)
        }
        let rows = try directory.integer(Tag.rowsPerStrip) ?? size.height
        return PixelSize(width: size.width, height: min(max(1, rows), size.height))
    }

    /// Colour model and number of channels without alpha (TIFF 6.0, section 8 and later).
    private static func colours(
        _ photometric: Int
    ) throws(HeaderFault) -> (model: ColourModel, channels: Int) {
        switch photometric {
        case 0, 1: (.grey, 1)
        case 2, 6, 8: (.rgb, 3)  // RGB, YCbCr, CIE L*a*b*
        case 3: (.palette, 1)
        case 5: (.cmyk, 4)
        default: throw .unsupported("a TIFF of photometric interpretation \(photometric)")
        }
    }
}

extension PictureFormat {
    package static let tiff = PictureFormat(
        "II*\0", "MM\0*", "II+\0", "MM\0+", probe: TIFFProbe.header)
}
