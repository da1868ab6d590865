internal import AttachmentFormats

/// Sample points of a canvas, for comparing frames.
struct FrameThumbnail {
    static let side = 64

    /// Luminance of each point over white, 0 to 255.
    private(set) var luminance = [UInt8](repeating: 255, count: side * side)
    private(set) var isOpaque = [Bool](repeating: false, count: side * side)

    /// Updates the points in the changed region.
    mutating func update(from picture: PixelView, changed: ChangedRegion) {
        for rect in changed.rects { update(from: picture, rect) }
    }

    private mutating func update(from picture: PixelView, _ changed: PixelRect) {
        for row in 0..<Self.side {
            let y = (2 * row + 1) * picture.height / (2 * Self.side)
            guard changed.top..<changed.bottom ~= y else { continue }
            for column in 0..<Self.side {
                let x = (2 * column + 1) * picture.width / (2 * Self.side)
                guard changed.left..<changed.right ~= x else { continue }
                let pixel = picture.pixels[y * picture.width + x]
                let point = row * Self.side + column
                let isOpaque = pixel >> 24 >= 128
                self.isOpaque[point] = isOpaque
                luminance[point] = isOpaque ? Self.luminance(of: pixel) : 255
            }
        }
    }

    /// ITU-R BT.601, in 256ths.
    private static func luminance(of pixel: UInt32) -> UInt8 {
        let sum = 77 * (pixel & 255) + 150 * (pixel >> 8 & 255) + 29 * (pixel >> 16 & 255)
        return UInt8(sum >> 8)
    }

    var coverage: Double {
        Double(isOpaque.lazy.filter { $0 }.count) / Double(isOpaque.count)
    }

    /// Standard deviation of luminance, 0 to 128.
    var contrast: Double {
        let (mean, count) = (mean, Double(luminance.count))
        let squares = luminance.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
        return (squares / count).squareRoot()
    }

    private var mean: Double {
        Double(luminance.reduce(0) { $0 + Int($1) }) / Double(luminance.count)
    }

    /// Mean difference of neighbouring points, 0 to 255.
    var detail: Double {
        var sum = 0
        for point in luminance.indices where point % Self.side > 0 {
            sum += abs(Int(luminance[point]) - Int(luminance[point - 1]))
            if point >= Self.side {
                sum += abs(Int(luminance[point]) - Int(luminance[point - Self.side]))
            }
        }
        return Double(sum) / Double(2 * luminance.count)
    }

    func difference(to other: FrameThumbnail) -> Double {
        let sum = zip(luminance, other.luminance).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(luminance.count)
    }
}
