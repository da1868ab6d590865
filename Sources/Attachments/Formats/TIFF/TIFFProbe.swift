internal import AttachmentContainer
internal import AttachmentModel

/// Parser for the first directory (TIFF 6.0; BigTIFF); further pages are not animation frames.
enum TIFFProbe {
    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        let directory = try TIFFDirectory(Cursor(reader, from: 0))
        guard let width = try directory.integer(TIFFTag.imageWidth),
            let height = try directory.integer(TIFFTag.imageLength),
            let photometric = try directory.integer(TIFFTag.photometricInterpretation),
            max(width, height) <= UInt32.max
        else { throw .corrupt("a TIFF without a size or photometric interpretation", at: 4) }
        let (model, channels) = try colours(photometric)
        let samples = try directory.integer(TIFFTag.samplesPerPixel) ?? 1
        guard samples == channels || samples == channels + 1 else {
            throw .unsupported("a TIFF of \(samples) samples a pixel")
        }
        if let name = unboundedCompressions[try directory.integer(TIFFTag.compression) ?? 1] {
            throw .unsupported("a TIFF compressed with \(name)")
        }
        let bits = try bitsPerSample(directory)
        // 0 means unspecified (TIFF 6.0, section 18); without the tag, readers assume alpha.
        let isUnspecified = try directory.integer(TIFFTag.extraSamples) == 0
        let profileBytes = directory.count(TIFFTag.iccProfile)
        // L*a*b* has its meaning without a profile; the reader notes one for another space.
        let usesProfile = photometric != 8
        let size = try PixelSize(claimed: width, height)
        let unit = try unitSize(directory, of: size)
        let coding: TIFFCoding =
            directory.count(TIFFTag.tileWidth) > 0 ? .tiles(unit) : .strips(unit)
        return AttachmentHeader(
            coding, storedSize: size,
            orientation: try directory.integer(TIFFTag.orientation).flatMap(Orientation.init)
                ?? .upright,
            colourModel: model, hasAlpha: samples > channels && !isUnspecified,
            bitsPerSample: bits,
            profileBytes: usesProfile ? profileBytes : 0,
            hasMetadata: profileBytes > 0 || TIFFTag.metadata.contains { directory.count($0) > 0 },
            fileBytes: ByteCount(reader.length))
    }

    /// Compressions whose memory use depends on the data: they need a dictionary or a picture of
    /// their own.
    private static let unboundedCompressions = [
        34661: "JBIG", 34712: "JPEG 2000", 34887: "LERC", 34925: "LZMA", 50000: "Zstandard",
        50001: "WebP", 50002: "JPEG XL",
    ]

    /// Refuses samples that libvips does not scale: they would appear as noise or black.
    private static func bitsPerSample(_ directory: TIFFDirectory) throws(HeaderFault) -> Int {
        let bits = try directory.integer(TIFFTag.bitsPerSample) ?? 1
        guard (1...16).contains(bits) || bits == 32 else {
            throw .unsupported("a TIFF of \(bits) bits a sample")
        }
        switch try directory.integer(TIFFTag.sampleFormat) ?? 1 {
        case 1, 4: return bits  // Unsigned, undefined (TIFF 6.0, section 19).
        case 3 where bits == 32: return bits
        case 2: throw .unsupported("a TIFF of signed samples")
        case 3: throw .unsupported("a TIFF of floating-point samples of \(bits) bits")
        default: throw .unsupported("a TIFF of complex samples")
        }
    }

    /// Without a tag, one strip is the whole picture.
    private static func unitSize(
        _ directory: TIFFDirectory, of size: PixelSize
    ) throws(HeaderFault) -> PixelSize {
        if let width = try directory.integer(TIFFTag.tileWidth),
            let height = try directory.integer(TIFFTag.tileLength)
        {
            return PixelSize(width: width, height: height)
        }
        let rows = try directory.integer(TIFFTag.rowsPerStrip) ?? size.height
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
