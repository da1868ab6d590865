public import AttachmentContainer

/// How a rendition's pixels become a file.
public enum Encoding: Sendable, Hashable {
    /// Baseline JPEG, 4:2:0, at a quality from 1 to 100.
    case jpeg(quality: Int)
    /// PNG with every colour.
    case png
    /// PNG with at most 256 colours.
    case palettePNG
}

/// The ways to bring a rendition under its byte ceiling, best first.
///
/// Quality is lowered first, since at small sizes it is seen the least; then the size.
public struct EncodingLadder: Sendable, Hashable {
    /// One way: how to encode, and at which size.
    public struct Attempt: Sendable, Hashable {
        /// How the pixels become a file.
        public let encoding: Encoding
        /// The size of the rendition, in pixels.
        public let size: PixelSize

        /// What it takes of memory that no plan counts.
        ///
        /// To choose 256 colours, libimagequant keeps the whole picture: the pixels and their
        /// indexes, the pixels once more as floats if those take 64 MiB at the most, and a count of
        /// every colour there is, up to some (measured, with noise, of which all pixels differ: 68
        /// bytes a pixel of 1.4 million, 42 of 2.3 million, 10 of 10 million).
        package var extraMemory: ByteCount {
            guard encoding == .palettePNG else { return ByteCount(0) }
            let pixels = size.pixelCount
            let colours = min(44 * pixels, 74_000_000)
            return ByteCount(pixels * (16 * pixels <= 64 << 20 ? 24 : 8) + colours + (1 << 20))
        }

        /// The same size with every colour, for where there is no memory to choose from them.
        package var withEveryColour: Attempt {
            Attempt(encoding: encoding == .palettePNG ? .png : encoding, size: size)
        }
    }

    /// The attempts, best first; never empty.
    public let attempts: [Attempt]

    /// Lists the attempts for a picture.
    ///
    /// - Parameters:
    ///   - size: The size to begin with, in pixels.
    ///   - isOpaque: Whether nothing is transparent: opaque pictures are JPEG, others PNG.
    ///   - quality: The JPEG quality to begin with, from 1 to 100.
    ///   - floor: The longest side below which no attempt goes, in pixels.
    public init(size: PixelSize, isOpaque: Bool, quality: Int, floor: Int) {
        let encodings: [Encoding] =
            isOpaque ? Self.qualities(from: quality).map(Encoding.jpeg) : [.png, .palettePNG]
        var attempts = encodings.map { Attempt(encoding: $0, size: size) }
        var size = size
        while let smaller = Self.smaller(than: size, floor: floor) {
            attempts.append(Attempt(encoding: encodings[encodings.count - 1], size: smaller))
            size = smaller
        }
        self.attempts = attempts
    }

    /// Steps of ten; below 40 blocks show in every smooth sky, so a smaller picture looks better.
    private static func qualities(from first: Int) -> [Int] {
        [first] + stride(from: first - 10, through: 40, by: -10)
    }

    /// Steps of four fifths of each side, about two thirds of the bytes.
    private static func smaller(than size: PixelSize, floor: Int) -> PixelSize? {
        let smaller = PixelSize(
            width: max(1, size.width * 4 / 5), height: max(1, size.height * 4 / 5))
        return max(smaller.width, smaller.height) >= max(1, floor) && smaller != size
            ? smaller : nil
    }
}
