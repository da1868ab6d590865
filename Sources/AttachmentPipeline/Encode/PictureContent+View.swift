import AttachmentContainer
import AttachmentPlanning

extension PictureContent {
    /// Classifies the pixels of a held picture.
    ///
    /// A photograph has more than 256 colours within its first rows; after that, only every eighth
    /// row is read. What comes from a JPEG is continuous: its flat parts have noise.
    init(of view: PictureView) {
        let colours = view.picture.colours
        guard colours != .yCbCr420 else {
            self = .continuous
            return
        }
        var exact = ExactColours(limit: colours == .grey ? Self.mostGreys : 256)
        var pixels = PackedPixels(of: view)
        var (repeated, compared) = (0, 0)
        for y in 0..<view.size.height where !exact.hasOverflowed || y % Self.sampledRows == 0 {
            var left: UInt32?
            pixels.forEach(in: y) { pixel in
                exact.insert(pixel)
                if pixel == left { repeated += 1 }
                left = pixel
            }
            compared += view.size.width - 1
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

/// Pixels of a view with red in the lowest byte and alpha in the highest; all of alpha 0 are one.
struct PackedPixels {
    private let view: PictureView
    private var row: [UInt8]

    init(of view: PictureView) {
        self.view = view
        row = Array(repeating: 0, count: view.size.width * view.picture.colours.bands)
    }

    /// Calls `body` for the pixels of a row, from left to right.
    mutating func forEach(in y: Int, _ body: (UInt32) -> Void) {
        row.withUnsafeMutableBufferPointer { view.read(plane: 0, y, into: $0) }
        let (colours, bands) = (view.picture.colours, view.picture.colours.bands)
        row.withUnsafeBufferPointer { row in
            for first in stride(from: 0, to: row.count, by: bands) {
                let red = UInt32(row[first])
                let green = colours.isGrey ? red : UInt32(row[first + 1])
                let blue = colours.isGrey ? red : UInt32(row[first + 2])
                let alpha = colours.hasAlpha ? UInt32(row[first + bands - 1]) : 255
                body(alpha == 0 ? 0 : red | green << 8 | blue << 16 | alpha << 24)
            }
        }
    }
}
