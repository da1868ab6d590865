/// What the samples of a TIFF file are, and what rows become of them: the ones that libvips 8.14
/// gives (`tiffload`), except for samples of 32 bits, which become 16, and for extra samples of
/// unspecified meaning, which are dropped.
struct TIFFPixels {
    /// How the pixels lie in the rows that are given.
    let layout: RowLayout
    /// Bits of a sample in the file.
    let bits: Int
    /// Whether samples are floating-point numbers, of which 0 to 1 is shown.
    let isFloat: Bool
    /// Samples of a pixel in the file.
    let samples: Int
    /// Whether each sample has strips of its own.
    let isSeparate: Bool
    let compression: TIFFCompression

    /// What samples of up to 8 bits stand for, in the bands of the layout; nil when they are given
    /// as they are.
    let palette: [UInt8]?
    /// Whether the first sample counts down from white; 8 and 16 bits only.
    let isInverted: Bool
    /// Whether the colours are multiplied with the last sample.
    let isPremultiplied: Bool

    /// More pixels in a row or rows than libvips takes (`VIPS_MAX_COORD`).
    private static let maximumExtent = 10_000_000

    /// Reads what a file's tags say.
    ///
    /// - Parameters:
    ///   - handle: The file, asked for RGB where it has YCbCr.
    ///   - compression: That of the file.
    ///   - namesExtraSamples: Whether the file itself says what extra samples are. libtiff calls
    ///     them unspecified where it does not; readers take them for alpha.
    /// - Throws: `DecodingFault` with code `corrupt` where tags are missing, or `unsupported`.
    init(
        _ handle: TIFFHandle, _ compression: TIFFCompression, namesExtraSamples: Bool
    ) throws(DecodingFault) {
        guard let width = handle.integer32(TIFFTag.imageWidth),
            let height = handle.integer32(TIFFTag.imageLength),
            let samples = handle.integer16(TIFFTag.samplesPerPixel),
            let bits = handle.integer16(TIFFTag.bitsPerSample),
            let photometric = handle.integer16(TIFFTag.photometricInterpretation),
            width > 0, height > 0
        else { throw DecodingFault(.corrupt, at: 0, "a TIFF without a size or a meaning") }
        guard max(width, height) < Self.maximumExtent else {
            throw DecodingFault(.overCeiling, at: 0, "a TIFF of \(width) × \(height) pixels")
        }
        self.bits = bits
        self.samples = samples
        self.compression = compression
        isSeparate = samples > 1 && handle.integer16(TIFFTag.planarConfiguration) == 2

        // 0 is unspecified (TIFF 6.0, section 18).
        let spare = handle.extraSamples.reversed().prefix { namesExtraSamples && $0 == 0 }.count
        let colours = try TIFFColours(
            handle, photometric, samples: samples - spare, bits: bits)
        guard colours.palette == nil || samples == 1 else {
            throw .unsupported("\(samples) samples with a palette")
        }
        palette = colours.palette
        isInverted = photometric == 0 && bits >= 8
        isPremultiplied = try Self.isPremultiplied(
            handle.extraSamples.dropLast(spare), samples - spare, colours)
        layout = RowLayout(
            width: width, height: height, bands: colours.bands, bytesPerSample: bits > 8 ? 2 : 1,
            isCMYK: colours.isCMYK)

        // Unsigned, or nothing said; 3 is floating-point (TIFF 6.0, section 19).
        let format = handle.integer16(TIFFTag.sampleFormat) ?? 1
        isFloat = format == 3
        guard [1, 4].contains(format) || isFloat && bits == 32 else {
            throw .unsupported("samples of \(bits) bits and format \(format)")
        }
        // What JPEG strips and tiles of other pixels decode to is not agreed on.
        guard compression != .jpeg || (bits == 8 && [1, 3].contains(samples)) || colours.isCMYK,
            compression == .jpeg || photometric != TIFFColours.yCbCr
        else { throw .unsupported("JPEG of \(samples) samples, or YCbCr that is no JPEG") }
        guard !isSeparate || compression != .jpeg || photometric != TIFFColours.yCbCr else {
            throw .unsupported("separate planes of YCbCr as JPEG")
        }
    }

    /// What a row of `pixels` pixels takes where one decodes to it, in bytes.
    func codedRowBytes(pixels: Int) -> Int {
        (pixels * (isSeparate ? 1 : samples) * bits + 7) / 8
    }

    /// What a pixel takes in the rows that are given, in bytes.
    var pixelBytes: Int { layout.bands * layout.bytesPerSample }

    /// Whether the colours are multiplied with an alpha sample, which must be the last.
    private static func isPremultiplied(
        _ extraSamples: ArraySlice<UInt16>, _ samples: Int, _ colours: TIFFColours
    ) throws(DecodingFault) -> Bool {
        // 1 is alpha that the colours are multiplied with (TIFF 6.0, section 18).
        guard let index = extraSamples.lastIndex(of: 1) else { return false }
        guard index == extraSamples.indices.last, !colours.isCMYK, [2, 4].contains(samples) else {
            throw .unsupported("alpha that is not the last sample")
        }
        return true
    }
}

/// What photometric interpretation makes of the samples.
private struct TIFFColours {
    /// The number of that interpretation (TIFF 6.0, section 21).
    static let yCbCr = 6

    /// Bands of the rows that are given.
    let bands: Int
    let isCMYK: Bool
    let palette: [UInt8]?

    /// Reads the interpretation.
    ///
    /// - Throws: `DecodingFault` with code `unsupported`, or `corrupt` for a palette that is missing.
    init(
        _ handle: TIFFHandle, _ photometric: Int, samples: Int, bits: Int
    ) throws(DecodingFault) {
        var palette: [UInt8]?
        var isCMYK = false
        var bands = samples
        switch (photometric, bits, samples) {
        case (0, 1, 1), (0, 2, 1), (0, 4, 1), (1, 1, 1), (1, 2, 1), (1, 4, 1):
            palette = Self.grey(bits: bits, isInverted: photometric == 0)
        case (0...1, 8, 1...2), (0...1, 16, 1...2), (0...1, 32, 1...2),
            (2, 8, 3...4), (2, 16, 3...4), (2, 32, 3...4), (Self.yCbCr, 8, 3):
            break
        case (3, 1, 1), (3, 2, 1), (3, 4, 1), (3, 8, 1):
            guard let map = handle.colourMap(bits: bits) else {
                throw DecodingFault(.corrupt, at: 0, "a palette that is missing")
            }
            (palette, bands) = Self.palette(map)
        case (5, 8, 4), (5, 16, 4), (5, 32, 4):
            // Ink set 1 is cyan, magenta, yellow and black (TIFF 6.0, section 16).
            guard handle.integer16(TIFFTag.inkSet) == 1 else {
                throw .unsupported("inks that are not CMYK")
            }
            isCMYK = true
        default:
            throw .unsupported(
                "\(samples) samples of \(bits) bits, photometric interpretation \(photometric)")
        }
        self.palette = palette
        self.isCMYK = isCMYK
        self.bands = bands
    }

    /// Spreads the values of a few bits over eight.
    private static func grey(bits: Int, isInverted: Bool) -> [UInt8] {
        let largest = 1 << bits - 1
        return (0...largest).map { value in
            UInt8(truncatingIfNeeded: (isInverted ? largest - value : value) * 255 / largest)
        }
    }

    /// A palette in 8 bits; one of greys has one band.
    private static func palette(
        _ map: [(red: UInt16, green: UInt16, blue: UInt16)]
    ) -> (bytes: [UInt8], bands: Int) {
        // Old writers put 8-bit values into the 16 (libvips, `rtiff_parse_palette`).
        let isNarrow = map.allSatisfy { $0.red | $0.green | $0.blue < 256 }
        func byte(_ value: UInt16) -> UInt8 {
            UInt8(truncatingIfNeeded: isNarrow ? value : value >> 8)
        }
        if map.allSatisfy({ $0.red == $0.green && $0.green == $0.blue }) {
            return (map.map { byte($0.red) }, 1)
        }
        return (map.flatMap { [byte($0.red), byte($0.green), byte($0.blue)] }, 3)
    }
}

extension DecodingFault {
    /// A file that uses what is not decoded here.
    fileprivate static func unsupported(_ reason: String) -> DecodingFault {
        DecodingFault(.unsupported, at: 0, "a TIFF of \(reason)")
    }
}
