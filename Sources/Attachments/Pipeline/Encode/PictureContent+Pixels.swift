package import AttachmentContainer
package import AttachmentPlanning

extension PictureContent {
    /// Classifies the pixels of a held picture.
    ///
    /// What comes from a JPEG is continuous: its flat parts have noise.
    init(of view: PictureView) {
        let colours = view.picture.colours
        guard colours != .yCbCr420 else {
            self = .continuous
            return
        }
        self.init(of: PackedPixels(of: view))
    }

    /// Classifies pixels.
    ///
    /// A photograph has more than 256 colours within its first rows; after that, only every eighth
    /// row is read.
    package init(of pixels: consuming PackedPixels) {
        var exact = ExactColours(limit: pixels.bands == 1 ? Self.mostGreys : 256)
        var (repeated, compared) = (0, 0)
        for y in 0..<pixels.size.height where !exact.hasOverflowed || y % Self.sampledRows == 0 {
            var left: UInt32?
            pixels.forEach(in: y) { pixel in
                exact.insert(pixel)
                if pixel == left { repeated += 1 }
                left = pixel
            }
            compared += pixels.size.width - 1
        }
        guard exact.hasOverflowed else {
            self = .fewColours
            return
        }
        self = Double(repeated) > Self.flatShare * Double(compared) ? .flat : .continuous
    }

    /// Greys that PNG stores in four bits; all 256 are no palette.
    private static let mostGreys = 16
    private static let sampledRows = 8
    /// Photographs have up to 0.3, with clipped skies 0.5; screenshots and drawings have 0.7 and more
    /// (measured with public test pictures).
    private static let flatShare = 0.6
}

/// Pixels of rows with red in the lowest byte and alpha in the highest; all of alpha 0 are one.
package struct PackedPixels {
    package let size: PixelSize
    /// 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA.
    package let bands: Int
    private let read: (Int, UnsafeMutableBufferPointer<UInt8>) -> Void
    private var row: [UInt8]

    /// - Parameters:
    ///   - size: The picture's size.
    ///   - bands: Interleaved samples a pixel, 1 to 4.
    ///   - read: Writes the samples of a row.
    package init(
        _ size: PixelSize, bands: Int,
        read: @escaping (Int, UnsafeMutableBufferPointer<UInt8>) -> Void
    ) {
        (self.size, self.bands, self.read) = (size, bands, read)
        row = Array(repeating: 0, count: size.width * bands)
    }

    init(of view: PictureView) {
        self.init(view.size, bands: view.picture.colours.bands) {
            view.read(plane: 0, $0, into: $1)
        }
    }

    /// Writes the pixels of a row as four bytes of RGBA each; those of alpha 0 may differ in colour.
    mutating func write(_ y: Int, to pixels: UnsafeMutableBufferPointer<UInt8>) {
        guard bands < 4 else {
            read(y, pixels)
            return
        }
        var first = 0
        forEach(in: y) { pixel in
            for byte in 0..<4 {
                pixels[first + byte] = UInt8(truncatingIfNeeded: pixel >> (8 * byte))
            }
            first += 4
        }
    }

    /// Calls `body` for the pixels of a row, from left to right.
    mutating func forEach(in y: Int, _ body: (UInt32) -> Void) {
        row.withUnsafeMutableBufferPointer { read(y, $0) }
        let (isGrey, hasAlpha) = (bands < 3, bands % 2 == 0)
        row.withUnsafeBufferPointer { row in
            for first in stride(from: 0, to: row.count, by: bands) {
                let red = UInt32(row[first])
                let green = isGrey ? red : UInt32(row[first + 1])
                let blue = isGrey ? red : UInt32(row[first + 2])
                let alpha = hasAlpha ? UInt32(row[first + bands - 1]) : 255
                body(alpha == 0 ? 0 : red | green << 8 | blue << 16 | alpha << 24)
            }
        }
    }
}
