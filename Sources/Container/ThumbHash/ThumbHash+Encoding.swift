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
        var (luminance, yellowBlue, redGreen) = ([Double](), [Double](), [Double]())
        luminance.reserveCapacity(width * height)
        yellowBlue.reserveCapacity(width * height)
        redGreen.reserveCapacity(width * height)
        for i in pixels {
            let alpha = Double(rgba[i + 3]) / 255
            let colour = ThumbHash.RGB(
                red: mean.red * (1 - alpha) + alpha / 255 * Double(rgba[i]),
                green: mean.green * (1 - alpha) + alpha / 255 * Double(rgba[i + 1]),
                blue: mean.blue * (1 - alpha) + alpha / 255 * Double(rgba[i + 2]))
            luminance.append(colour.luminance)
            yellowBlue.append(colour.yellowBlue)
            redGreen.append(colour.redGreen)
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
            luminance: transform.channel(luminance, keeping: luminanceWaves),
            yellowBlue: transform.channel(yellowBlue, keeping: Self.chromaWaves),
            redGreen: transform.channel(redGreen, keeping: Self.chromaWaves),
            alpha: hasAlpha
                ? transform.channel(
                    pixels.map { Double(rgba[$0 + 3]) / 255 }, keeping: Self.alphaWaves)
                : nil)
    }
}

/// The lowest waves of the two-dimensional discrete cosine transform (type II).
private struct CosineTransform {
    /// The waves along a row at each column, one in each lane; the last lane is unused.
    private let horizontal: [SIMD8<Double>]
    private let vertical: [[Double]]

    init(width: Int, height: Int) {
        horizontal = (0..<width).map { column in
            var waves = SIMD8<Double>.zero
            for wave in 0..<Self.count { waves[wave] = Self.wave(wave, at: column, of: width) }
            return waves
        }
        vertical = (0..<Self.count).map { wave in
            (0..<height).map { Self.wave(wave, at: $0, of: height) }
        }
    }

    func channel(_ values: [Double], keeping waves: [(x: Int, y: Int)]) -> ThumbHash.Channel {
        let rows = (waves.map(\.y).max() ?? 0) + 1
        let all = (0..<rows).map { amplitudes(of: values, y: $0) }
        let kept = waves.map { all[$0.y][$0.x] }
        return ThumbHash.Channel(
            average: all[0][0], scale: kept.lazy.map(abs).max() ?? 0, amplitudes: kept)
    }

    /// The amplitudes of all waves along a row together: each lane is summed in the order of the pixels.
    private func amplitudes(of values: [Double], y: Int) -> SIMD8<Double> {
        var sum = SIMD8<Double>.zero
        var pixel = 0
        for row in vertical[y] {
            for columns in horizontal {
                sum += values[pixel] * columns * row
                pixel += 1
            }
        }
        return sum / Double(values.count)
    }

    /// As many as the longer side of a hash keeps, which is no more than there are lanes.
    private static let count = 7

    private static func wave(_ wave: Int, at place: Int, of count: Int) -> Double {
        cos(.pi / Double(count) * Double(wave) * (Double(place) + 0.5))
    }
}
