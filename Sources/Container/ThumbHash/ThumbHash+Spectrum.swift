extension ThumbHash {
    /// The decoded hash: per channel an average and the lowest waves of the discrete cosine
    /// transform.
    ///
    /// The encoding is a bit stream, lowest bit first. Field widths: averages of luminance,
    /// yellow-blue and red-green 6 each, luminance scale 5, alpha flag 1, luminance waves on the
    /// shorter side 3, chroma scales 6 each, landscape flag 1, alpha average and scale 4 each,
    /// every wave 4.
    struct Spectrum: Hashable, Sendable {
        /// Number of luminance waves along the width; the ratio to `rows` encodes the picture's
        /// shape.
        var columns: Int
        var rows: Int
        var luminance, yellowBlue, redGreen: Channel
        var alpha: Channel?
    }

    struct Channel: Hashable, Sendable {
        var average: Double
        var scale = 0.0
        var amplitudes: [Double] = []
    }

    static func longerSide(hasAlpha: Bool) -> Int { hasAlpha ? 5 : 7 }

    /// The waves of a channel, without the average: a triangle of the lowest frequencies.
    static func waves(columns: Int, rows: Int) -> [(x: Int, y: Int)] {
        (0..<rows).flatMap { y in
            (0..<columns).lazy
                .filter { x in x + y > 0 && x * rows < columns * (rows - y) }
                .map { x in (x, y) }
        }
    }
}

extension ThumbHash.Spectrum {
    /// At least three waves a side, however narrow the picture.
    static func luminanceWaves(columns: Int, rows: Int) -> [(x: Int, y: Int)] {
        ThumbHash.waves(columns: max(3, columns), rows: max(3, rows))
    }
    static let chromaWaves = ThumbHash.waves(columns: 3, rows: 3)
    static let alphaWaves = ThumbHash.waves(columns: 5, rows: 5)

    init?(bytes: [UInt8]) {
        var bits = BitReader(bytes: bytes)
        luminance = .init(average: bits.next(6) / 63)
        yellowBlue = .init(average: bits.next(6) / 31.5 - 1)
        redGreen = .init(average: bits.next(6) / 31.5 - 1)
        luminance.scale = bits.next(5) / 31
        let hasAlpha = bits.next(1) == 1
        let shorter = Int(bits.next(3))
        yellowBlue.scale = bits.next(6) / 63
        redGreen.scale = bits.next(6) / 63
        let isLandscape = bits.next(1) == 1
        let longer = ThumbHash.longerSide(hasAlpha: hasAlpha)
        (columns, rows) = isLandscape ? (longer, shorter) : (shorter, longer)
        alpha = hasAlpha ? .init(average: bits.next(4) / 15, scale: bits.next(4) / 15) : nil

        luminance.readAmplitudes(of: Self.luminanceWaves(columns: columns, rows: rows), from: &bits)
        yellowBlue.readAmplitudes(of: Self.chromaWaves, from: &bits)
        redGreen.readAmplitudes(of: Self.chromaWaves, from: &bits)
        alpha?.readAmplitudes(of: Self.alphaWaves, from: &bits)
        guard shorter > 0, (bits.position + 7) / 8 == bytes.count else { return nil }
    }

    var bytes: [UInt8] {
        var bits = BitWriter()
        bits.append(63 * luminance.average, width: 6)
        bits.append(31.5 + 31.5 * yellowBlue.average, width: 6)
        bits.append(31.5 + 31.5 * redGreen.average, width: 6)
        bits.append(31 * luminance.scale, width: 5)
        bits.append(alpha == nil ? 0 : 1, width: 1)
        bits.append(Double(min(columns, rows)), width: 3)
        bits.append(63 * yellowBlue.scale, width: 6)
        bits.append(63 * redGreen.scale, width: 6)
        bits.append(columns > rows ? 1 : 0, width: 1)
        if let alpha {
            bits.append(15 * alpha.average, width: 4)
            bits.append(15 * alpha.scale, width: 4)
        }
        for channel in [luminance, yellowBlue, redGreen, alpha].compactMap(\.self) {
            for amplitude in channel.amplitudes {
                bits.append(
                    channel.scale > 0 ? 15 * (0.5 + 0.5 / channel.scale * amplitude) : 0, width: 4)
            }
        }
        return bits.bytes
    }
}

extension ThumbHash.Channel {
    fileprivate mutating func readAmplitudes(
        of waves: [(x: Int, y: Int)], from bits: inout BitReader
    ) {
        amplitudes = waves.map { _ in (bits.next(4) / 7.5 - 1) * scale }
    }
}

/// Reads bit fields, lowest bit first; reads zeros past the end.
private struct BitReader {
    let bytes: [UInt8]
    private(set) var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next(_ width: Int) -> Double {
        var value = 0
        for bit in position..<position + width where bit / 8 < bytes.count {
            value |= Int(bytes[bit / 8] >> (bit % 8) & 1) << (bit - position)
        }
        position += width
        return Double(value)
    }
}

private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var position = 0

    mutating func append(_ value: Double, width: Int) {
        let number = Int(value.rounded())
        for bit in 0..<width {
            if position % 8 == 0 { bytes.append(0) }
            bytes[position / 8] |= UInt8(number >> bit & 1) << (position % 8)
            position += 1
        }
    }
}
