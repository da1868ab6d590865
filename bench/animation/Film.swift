import Foundation

/// A film of 120 frames of 1080 × 1080 pixels, as a GIF drawn by the benchmark.
///
/// A ball circles over a panning landscape of light, with ordered dithering and grain. Every frame
/// has its own 256 colours, as from encoders for films.
enum Film {
    static let side = 1080
    static let frames = 120
    /// Hundredths of a second.
    private static let delay: UInt8 = 5

    /// Writes the film; every run gives the same bytes.
    static func write(to url: URL) throws {
        var writer = FilmWriter(side: side)
        for frame in 0..<frames { writer.add(indices(of: frame), palette(of: frame), delay: delay) }
        try writer.finished().write(to: url)
    }

    /// Sixteen hues by sixteen lightnesses, which turn with the frames.
    private static func palette(of frame: Int) -> [UInt8] {
        let turn = sin(2 * Double.pi * Double(frame) / Double(frames))
        return (0..<256).flatMap { index -> [UInt8] in
            let (hue, light) = (Double(index / 16) / 15, Double(index % 16) / 15)
            return [30 + 225 * hue, 100 + 60 * turn * (1 - hue), 235 - 190 * hue].map {
                UInt8(min(255, $0 * (0.15 + 1.1 * light * light)))
            }
        }
    }

    private static func indices(of frame: Int) -> [UInt8] {
        let time = 2 * Double.pi * Double(frame) / Double(frames)
        let (middleX, middleY) = (540 + 300 * cos(time), 540 + 300 * sin(time))
        // The waves are sums of one function of each coordinate.
        let across = (0..<side).map { sin(Double($0) * 0.009 + time) }
        let down = (0..<side).map { cos(Double($0) * 0.007 - 2 * time) }
        var noise = UInt32(truncatingIfNeeded: frame &* 7919 &+ 1)
        var indices = [UInt8](repeating: 0, count: side * side)
        for y in 0..<side {
            for x in 0..<side {
                var hue = 0.5 + 0.25 * (across[x] + down[y])
                var light = 0.55 + 0.2 * (across[y] - down[x])
                let (left, up) = (Double(x) - middleX, Double(y) - middleY)
                let distance = (left * left + up * up) / (180 * 180)
                if distance < 1 { (hue, light) = (0.9, 0.35 + 0.6 * (1 - distance)) }
                if x & 3 == 0 {
                    // Marsaglia's xorshift, 2003.
                    noise ^= noise << 13
                    noise ^= noise >> 17
                    noise ^= noise << 5
                }
                light += (Double(noise & 255) / 255 - 0.5) * 0.03
                let threshold = Double(Self.thresholds[(y & 3) * 4 + (x & 3)]) / 16
                let (column, row) = (Int(hue * 15 + threshold), Int(light * 15 + threshold))
                indices[y * side + x] = UInt8(
                    max(0, min(15, column)) * 16 + max(0, min(15, row)))
            }
        }
        return indices
    }

    /// Bayer, 1973.
    private static let thresholds = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5]
}

/// Writes whole frames of 256 colours (GIF89a).
private struct FilmWriter {
    private let side: Int
    private var bytes: [UInt8]
    /// Code of each string extended by an index; 0 if unknown.
    private var strings = [UInt16](repeating: 0, count: 4096 * 256)

    init(side: Int) {
        self.side = side
        let size = Self.short(side) + Self.short(side)
        bytes = Array("GIF89a".utf8) + size + [0x70, 0, 0]
        bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    }

    private static func short(_ number: Int) -> [UInt8] {
        [UInt8(number & 255), UInt8(number >> 8)]
    }

    mutating func add(_ indices: [UInt8], _ palette: [UInt8], delay: UInt8) {
        bytes += [0x21, 0xF9, 4, 4, delay, 0, 0, 0, 0x2C, 0, 0, 0, 0]
        bytes += Self.short(side) + Self.short(side) + [0x87] + palette + [8]
        let data = compressed(indices)
        for start in stride(from: 0, to: data.count, by: 255) {
            let block = data[start..<min(start + 255, data.count)]
            bytes.append(UInt8(block.count))
            bytes += block
        }
        bytes.append(0)
    }

    func finished() -> Data { Data(bytes + [0x3B]) }

    /// LZW (appendix F).
    private mutating func compressed(_ indices: [UInt8]) -> [UInt8] {
        var (data, bits, count) = ([UInt8](), UInt64(0), UInt64(0))
        var (size, next) = (UInt64(9), 258)
        func emit(_ code: Int) {
            bits |= UInt64(code) << count
            count += size
            while count >= 8 {
                data.append(UInt8(truncatingIfNeeded: bits))
                (bits, count) = (bits >> 8, count - 8)
            }
        }
        emit(256)
        for place in strings.indices { strings[place] = 0 }
        var prefix = Int(indices[0])
        for index in indices.dropFirst() {
            let key = prefix << 8 | Int(index)
            guard strings[key] == 0 else {
                prefix = Int(strings[key])
                continue
            }
            emit(prefix)
            if next < 4096 {
                strings[key] = UInt16(next)
                if next == 1 << size, size < 12 { size += 1 }
                next += 1
            } else {
                emit(256)
                for place in strings.indices { strings[place] = 0 }
                (size, next) = (9, 258)
            }
            prefix = Int(index)
        }
        emit(prefix)
        if next == 1 << size, size < 12 { size += 1 }
        emit(257)
        data.append(UInt8(truncatingIfNeeded: bits))
        return data
    }
}
