import Foundation

extension ThumbHash {
    /// Longest side of a hashed image, in pixels.
    public static let longestSide = 100

    /// Computes the hash of an image, at most `longestSide` wide and high, with four sRGB samples a
    /// pixel, alpha last and not premultiplied; nil for another number of pixels or samples.
    public init?(width: Int, height: Int, rgba: [UInt8]) {
        guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height),
            rgba.count == width * height * 4
        else { return nil }
        self.init(bytes: Spectrum(width: width, height: height, rgba: rgba).bytes)
    }

    /// Computes the hash of a square with one opaque colour, quantised to about six bits a channel.
    public init(uniform colour: Colour) {
        let mean = RGB(
            red: Double(colour.red) / 255, green: Double(colour.green) / 255,
            blue: Double(colour.blue) / 255)
        let exact = Spectrum(uniform: mean)
        bytes = exact.bytes
        // Uses the quantised values, so that the hash is equal to itself after a round trip.
        spectrum = Spectrum(bytes: bytes) ?? exact
    }
}

extension ThumbHash.Spectrum {
    fileprivate init(uniform colour: ThumbHash.RGB) {
        columns = ThumbHash.longerSide(hasAlpha: false)
        rows = columns
        let channel = { (average: Double, waves: Int) in
            ThumbHash.Channel(
                average: average, scale: 0, amplitudes: [Double](repeating: 0, count: waves))
        }
        luminance = channel(
            colour.luminance, Self.luminanceWaves(columns: columns, rows: rows).count)
        yellowBlue = channel(colour.yellowBlue, Self.chromaWaves.count)
        redGreen = channel(colour.redGreen, Self.chromaWaves.count)
        alpha = nil
    }
}

extension ThumbHash.Spectrum {
    /// Keeps the published order of operations: in one colour the waves are rounding errors.
    ///
    /// Transparent areas take the average colour of the others.
    fileprivate init(width: Int, height: Int, rgba: [UInt8]) {
        let pixels = stride(from: 0, to: rgba.count, by: 4)
        var sum = ThumbHash.RGB(red: 0, green: 0, blue: 0)
        var coverage = 0.0
        for i in pixels {
            let alpha = Double(rgba[i + 3]) / 255
            sum.red += alpha / 255 * Double(rgba[i])
            sum.green += alpha / 255 * Double(rgba[i + 1])
            sum.blue += alpha / 255 * Double(rgba[i + 2])
            coverage += alpha
        }
        let mean =
            coverage > 0
            ? ThumbHash.RGB(
                red: sum.red / coverage, green: sum.green / coverage, blue: sum.blue / coverage)
            : sum
        let colours = pixels.map { i in
            let alpha = Double(rgba[i + 3]) / 255
            return ThumbHash.RGB(
                red: mean.red * (1 - alpha) + alpha / 255 * Double(rgba[i]),
                green: mean.green * (1 - alpha) + alpha / 255 * Double(rgba[i + 1]),
                blue: mean.blue * (1 - alpha) + alpha / 255 * Double(rgba[i + 2]))
        }

        let hasAlpha = coverage < Double(width * height)
        let longer = Double(ThumbHash.longerSide(hasAlpha: hasAlpha))
        let side = Double(max(width, height))
        let columns = max(1, Int((longer * Double(width) / side).rounded()))
        let rows = max(1, Int((longer * Double(height) / side).rounded()))
        let luminanceWaves = Self.luminanceWaves(columns: columns, rows: rows)
        let transform = CosineTransform(width: width, height: height)
        self.init(
            columns: columns, rows: rows,
            luminance: transform.channel(colours.map(\.luminance), keeping: luminanceWaves),
            yellowBlue: transform.channel(colours.map(\.yellowBlue), keeping: Self.chromaWaves),
            redGreen: transform.channel(colours.map(\.redGreen), keeping: Self.chromaWaves),
            alpha: hasAlpha
                ? transform.channel(
                    pixels.map { Double(rgba[$0 + 3]) / 255 }, keeping: Self.alphaWaves)
                : nil)
    }
}

/// The lowest waves of the two-dimensional discrete cosine transform (type II).
private struct CosineTransform {
    private let horizontal: [[Double]]
    private let vertical: [[Double]]

    init(width: Int, height: Int) {
        horizontal = Self.waves(over: width)
        vertical = Self.waves(over: height)
    }

    func channel(_ values: [Double], keeping waves: [(x: Int, y: Int)]) -> ThumbHash.Channel {
        let amplitudes = waves.map { amplitude(of: values, x: $0.x, y: $0.y) }
        return ThumbHash.Channel(
            average: amplitude(of: values, x: 0, y: 0),
            scale: amplitudes.lazy.map(abs).max() ?? 0, amplitudes: amplitudes)
    }

    private func amplitude(of values: [Double], x: Int, y: Int) -> Double {
        var sum = 0.0
        var pixel = 0
        for row in vertical[y] {
            for column in horizontal[x] {
                sum += values[pixel] * column * row
                pixel += 1
            }
        }
        return sum / Double(values.count)
    }

    private static func waves(over count: Int) -> [[Double]] {
        (0..<7).map { wave in
            (0..<count).map { cos(.pi / Double(count) * Double(wave) * (Double($0) + 0.5)) }
        }
    }
}
