public import AttachmentContainer

/// Output encoding of a rendition.
public enum Encoding: Sendable, Hashable {
    /// Baseline JPEG, 4:2:0, at a quality from 1 to 100.
    case jpeg(quality: Int)
    /// Baseline JPEG, 4:4:4, at a quality from 1 to 100.
    case fullChromaJPEG(quality: Int)
    /// PNG with every colour.
    case png
    /// PNG with at most 256 colours.
    case palettePNG
}

/// Kind of a picture's content, which chooses its encodings.
public enum PictureContent: Sendable, Hashable {
    /// Photographs, gradients, and every picture decoded from JPEG.
    case continuous
    /// Mostly pixels like their neighbour: drawings, screenshots.
    case flat
    /// At most 256 colours, grey at most 16, so that a palette loses nothing.
    case fewColours
}

/// Encoding attempts to bring a rendition under its byte ceiling, best first.
///
/// Quality is lowered before size. For a byte ceiling, the pipeline takes this order only where it
/// cannot score renditions. PNG becomes denser before it loses colours.
public struct EncodingLadder: Sendable, Hashable {
    /// One attempt: an encoding and a size.
    public struct Attempt: Sendable, Hashable {
        /// Output encoding.
        public let encoding: Encoding
        /// Size of the rendition, in pixels.
        public let size: PixelSize
        /// True for JPEG by libjpeg with optimal Huffman tables instead of the standard ones.
        package var hasOptimalTables = false
        /// True for PNG that is as short as the encoder can make it, whatever the time.
        package var isDense = false

        package init(
            encoding: Encoding, size: PixelSize, hasOptimalTables: Bool = false,
            isDense: Bool = false
        ) {
            (self.encoding, self.size) = (encoding, size)
            (self.hasOptimalTables, self.isDense) = (hasOptimalTables, isDense)
        }

        /// Memory that no plan counts.
        ///
        /// For optimal tables, libjpeg holds all coefficients of two bytes each, of whole blocks.
        package var extraMemory: ByteCount {
            if hasOptimalTables {
                return ByteCount(
                    3 * size.pixelCount + 96 * (size.width + size.height) + (64 << 10))
            }
            return ByteCount(encoding == .palettePNG ? QuantiserDemand.bytes(width: size.width) : 0)
        }

        /// The same attempt with chroma of full size; nil without chroma of half the size.
        ///
        /// Plans count the rows of either encoder for it.
        package var withFullChroma: Attempt? {
            guard case .jpeg(let quality) = encoding else { return nil }
            return Attempt(encoding: .fullChromaJPEG(quality: quality), size: size)
        }

        /// Most bytes of the attempt with full chroma, for a file of `halved` bytes without: less
        /// than 20 % more.
        ///
        /// At quality 80 the encoder of the engine of rows takes 8 to 18 % more for a page of mostly
        /// black text and 99 % for coloured text on a photograph of many colours; libjpeg takes 6 to
        /// 12 % and 35 %. Photographs take 19.7 % and more (`ChromaDetail`).
        package static func mostBytes(withFullChroma halved: ByteCount) -> ByteCount {
            ByteCount((halved.bytes * 120 - 1) / 100)
        }

        /// The same palette as short as the encoder can make it, for a file of `length` that is too
        /// long; nil if that will not do.
        ///
        /// It takes up to 8 % fewer bytes of dithered indices (`bench/README.md`).
        package func denserPalette(than length: ByteCount, for most: ByteCount) -> Attempt? {
            guard encoding == .palettePNG, !isDense, 92 * length.bytes / 100 <= most.bytes else {
                return nil
            }
            return Attempt(encoding: .palettePNG, size: size, isDense: true)
        }

        /// The same attempt without a palette or optimal tables, which take extra memory.
        ///
        /// Dense PNG replaces a palette.
        package var withoutExtraMemory: Attempt {
            encoding == .palettePNG
                ? Attempt(encoding: .png, size: size, isDense: true)
                : Attempt(encoding: encoding, size: size, isDense: isDense)
        }
    }

    /// The attempts, best first; never empty.
    public let attempts: [Attempt]

    /// Lists the attempts for a picture.
    ///
    /// - Parameters:
    ///   - size: The first size, in pixels.
    ///   - isOpaque: True for opaque pictures, which become JPEG; others become PNG.
    ///   - quality: The first JPEG quality, from 1 to 100.
    ///   - floor: The minimum longest side of an attempt, in pixels.
    ///   - content: The kind of content; few colours begin with a palette without loss.
    ///   - isFine: True to save a few percent of the bytes first: by optimal Huffman tables, PNG of
    ///     small pictures, and small steps of quality.
    public init(
        size: PixelSize, isOpaque: Bool, quality: Int, floor: Int,
        content: PictureContent = .continuous, isFine: Bool = false
    ) {
        let qualities = Self.qualities(from: quality, isFine: isFine).map(Encoding.jpeg)
        var attempts = (isOpaque ? qualities : [.png, .palettePNG]).map {
            Attempt(encoding: $0, size: size, hasOptimalTables: isOpaque && isFine)
        }
        if !isOpaque {
            attempts.insert(Attempt(encoding: .png, size: size, isDense: true), at: 1)
        }
        if isOpaque, isFine {
            // The standard tables take less memory, and one pass.
            attempts.insert(Attempt(encoding: .jpeg(quality: quality), size: size), at: 0)
        }
        if content == .fewColours {
            attempts.removeAll { $0.encoding == .png || $0.encoding == .palettePNG }
            attempts.insert(Attempt(encoding: .palettePNG, size: size), at: 0)
        } else if isFine, isOpaque, size.pixelCount <= Self.mostPixelsWithoutLoss {
            // The headers of JPEG, and noise, may take more than every pixel.
            attempts.insert(Attempt(encoding: .png, size: size), at: 2)
        }
        let last = attempts[attempts.count - 1]
        attempts += Self.sizes(from: size, floor: floor).dropFirst().map {
            Attempt(encoding: last.encoding, size: $0, hasOptimalTables: last.hasOptimalTables)
        }
        self.attempts = attempts
    }

    /// The sizes of attempts, largest first, from steps of four fifths per side.
    ///
    /// - Parameters:
    ///   - size: The first size, in pixels.
    ///   - floor: The minimum longest side of the others, in pixels.
    /// - Returns: At least the first size.
    package static func sizes(from size: PixelSize, floor: Int) -> [PixelSize] {
        var sizes = [size]
        while let smaller = smaller(than: sizes[sizes.count - 1], floor: floor) {
            sizes.append(smaller)
        }
        return sizes
    }

    /// Pixels up to which PNG may be shorter than JPEG of a picture with many colours.
    private static let mostPixelsWithoutLoss = 1 << 16

    /// Steps of ten; below 40, block artefacts look worse than a smaller size.
    ///
    /// Fine steps go lower if the first quality, the source's, is that low itself.
    private static func qualities(from first: Int, isFine: Bool) -> [Int] {
        let least = max(0, min(40, first - 7))
        let fine = isFine ? [first - 3, first - 6].filter { $0 > least } : []
        return [first] + fine + stride(from: first - 10, through: 40, by: -10)
    }

    /// Steps of four fifths per side, about two thirds of the bytes.
    private static func smaller(than size: PixelSize, floor: Int) -> PixelSize? {
        let smaller = PixelSize(
            width: max(1, size.width * 4 / 5), height: max(1, size.height * 4 / 5))
        return max(smaller.width, smaller.height) >= max(1, floor) && smaller != size
            ? smaller : nil
    }
}
