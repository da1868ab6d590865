#if SYSTEM_CODECS
    /// Sample format of a TIFF file and of its output rows.
    ///
    /// Rows are the same as in libvips 8.14 (`tiffload`), with two exceptions: 32-bit samples
    /// become 16-bit, and unspecified extra samples are dropped.
    struct TIFFPixels {
        let layout: RowLayout
        let bits: Int
        /// True for floating-point samples, which are clipped to 0 to 1.
        let isFloat: Bool
        let samples: Int
        /// True if each sample has its own planes of strips or tiles.
        let isSeparate: Bool
        let compression: TIFFCompression

        /// Output bytes for samples of up to 8 bits; nil if samples need no table.
        let palette: [UInt8]?
        /// True if the first sample counts from white; 8 and 16 bits only.
        let isInverted: Bool
        let isPremultiplied: Bool
        let isLab: Bool

        /// libvips' limit on each side (`VIPS_MAX_COORD`).
        private static let maximumExtent = 10_000_000

        /// Without ExtraSamples in the file (`namesExtraSamples`), libtiff reports extra samples as
        /// unspecified, while readers treat them as alpha.
        init(
            _ handle: TIFFHandle, _ compression: TIFFCompression, namesExtraSamples: Bool
        ) throws(DecodingFault) {
            guard let width = handle.integer32(TIFFTag.imageWidth),
                let height = handle.integer32(TIFFTag.imageLength),
                let samples = handle.integer16(TIFFTag.samplesPerPixel),
                let bits = handle.integer16(TIFFTag.bitsPerSample),
                let photometric = handle.integer16(TIFFTag.photometricInterpretation),
                width > 0, height > 0
            else { throw DecodingFault(.corrupt, at: 0, "a TIFF without a size or pixel format") }
            guard max(width, height) < Self.maximumExtent else {
                throw DecodingFault(.limit, at: 0, "a TIFF of \(width) × \(height) pixels")
            }
            (self.bits, self.samples, self.compression) = (bits, samples, compression)
            isSeparate = samples > 1 && handle.integer16(TIFFTag.planarConfiguration) == 2

            // 0 is unspecified (TIFF 6.0, section 18).
            let spare = handle.extraSamples.reversed().prefix { namesExtraSamples && $0 == 0 }.count
            let colours = try TIFFColours(handle, photometric, samples: samples - spare, bits: bits)
            guard colours.palette == nil || samples == 1 else {
                throw .unsupported("\(samples) samples with a palette")
            }
            palette = colours.palette
            isInverted = photometric == 0 && bits >= 8
            isLab = photometric == TIFFColours.lab
            isPremultiplied = try Self.isPremultiplied(
                handle.extraSamples.dropLast(spare), samples - spare, colours)
            layout = RowLayout(
                width: width, height: height, bands: colours.bands,
                bytesPerSample: bits > 8 ? 2 : 1,
                isCMYK: colours.isCMYK)

            // 1 is unsigned and the default; 3 is floating point (TIFF 6.0, section 19).
            let format = handle.integer16(TIFFTag.sampleFormat) ?? 1
            isFloat = format == 3
            guard [1, 4].contains(format) || isFloat && bits == 32 else {
                throw .unsupported("samples of \(bits) bits and format \(format)")
            }
            // Decoders disagree on JPEG strips and tiles with other pixels.
            guard
                compression != .jpeg || (bits == 8 && [1, 3].contains(samples)) || colours.isCMYK,
                compression == .jpeg || photometric != TIFFColours.yCbCr
            else { throw .unsupported("JPEG of \(samples) samples, or YCbCr without JPEG") }
            guard !isLab || compression != .jpeg && !isPremultiplied else {
                throw .unsupported("L*a*b* in JPEG or premultiplied")
            }
            guard !isSeparate || compression != .jpeg || photometric != TIFFColours.yCbCr else {
                throw .unsupported("JPEG YCbCr in separate planes")
            }
        }

        func codedRowBytes(pixels: Int) -> Int {
            (pixels * codedSamples * bits + 7) / 8
        }

        /// Samples of a decoded pixel; 1 for separate planes.
        var codedSamples: Int { isSeparate ? 1 : samples }

        var pixelBytes: Int { layout.bands * layout.bytesPerSample }

        /// True if the colours are premultiplied by an alpha sample, which must be the last.
        private static func isPremultiplied(
            _ extraSamples: ArraySlice<UInt16>, _ samples: Int, _ colours: TIFFColours
        ) throws(DecodingFault) -> Bool {
            // 1 is premultiplied alpha (TIFF 6.0, section 18).
            guard let index = extraSamples.lastIndex(of: 1) else { return false }
            guard index == extraSamples.indices.last, !colours.isCMYK, [2, 4].contains(samples)
            else {
                throw .unsupported("alpha that is not the last sample")
            }
            return true
        }
    }

    private struct TIFFColours {
        /// TIFF 6.0, section 21.
        static let yCbCr = 6
        /// TIFF 6.0, section 23.
        static let lab = 8

        private(set) var bands: Int
        private(set) var isCMYK = false
        private(set) var palette: [UInt8]?

        init(_ handle: TIFFHandle, _ photometric: Int, samples: Int, bits: Int)
            throws(DecodingFault)
        {
            bands = samples
            switch (photometric, bits, samples) {
            case (0, 1, 1), (0, 2, 1), (0, 4, 1), (1, 1, 1), (1, 2, 1), (1, 4, 1):
                palette = Self.grey(bits: bits, isInverted: photometric == 0)
            case (0...1, 8, 1...2), (0...1, 16, 1...2), (0...1, 32, 1...2),
                (2, 8, 3...4), (2, 16, 3...4), (2, 32, 3...4), (Self.yCbCr, 8, 3),
                (Self.lab, 8, 3...4), (Self.lab, 16, 3...4):
                break
            case (3, 1, 1), (3, 2, 1), (3, 4, 1), (3, 8, 1):
                guard let map = handle.colourMap(bits: bits) else {
                    throw DecodingFault(.corrupt, at: 0, "a missing palette")
                }
                (palette, bands) = Self.palette(map)
            case (5, 8, 4), (5, 16, 4), (5, 32, 4):
                // Ink set 1 is CMYK (TIFF 6.0, section 16).
                guard handle.integer16(TIFFTag.inkSet) == 1 else {
                    throw .unsupported("inks other than CMYK")
                }
                isCMYK = true
            default:
                throw .unsupported(
                    "\(samples) samples of \(bits) bits, photometric interpretation \(photometric)")
            }
        }

        private static func grey(bits: Int, isInverted: Bool) -> [UInt8] {
            let largest = 1 << bits - 1
            return (0...largest).map { value in
                UInt8(truncatingIfNeeded: (isInverted ? largest - value : value) * 255 / largest)
            }
        }

        /// An 8-bit palette, with one band if all colours are grey.
        private static func palette(
            _ map: [(red: UInt16, green: UInt16, blue: UInt16)]
        ) -> (bytes: [UInt8], bands: Int) {
            // Old writers store 8-bit values in the 16 bits (libvips, `rtiff_parse_palette`).
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
        fileprivate static func unsupported(_ reason: String) -> DecodingFault {
            DecodingFault(.unsupported, at: 0, "a TIFF with \(reason)")
        }
    }
#endif
