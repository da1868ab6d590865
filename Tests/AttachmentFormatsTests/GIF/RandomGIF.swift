import Randomness

extension EncodedGIF {
    /// Makes a GIF of one to three frames with any features of the format, determined by `seed`.
    static func random(seed: Int) -> EncodedGIF {
        var randomness = SplitMix64(seed: UInt64(seed) &+ 1)
        let codeSize = Int.random(in: 2...8, using: &randomness)
        var gif = EncodedGIF(frame(codeSize: codeSize, &randomness))
        let first = gif.frames[0]
        let screens = [
            nil, nil, (first.left + first.width + 3, first.top + first.height + 2), (1, 1),
            (first.width, first.height), (0, 9), (640, 480), (2049, 3), (3, 70),
        ]
        gif.screen = screens.randomElement(using: &randomness) ?? nil
        let tables = [nil, 2, 1 << codeSize, 1 << codeSize, 256]
        gif.colours = (tables.randomElement(using: &randomness) ?? nil).map { distinctColours($0) }
        if Bool.random(using: &randomness) {
            gif.frames[0].colours = (tables.randomElement(using: &randomness) ?? nil)
                .map { distinctColours($0, seed: 50) }
        }
        gif.backgroundIndex = UInt8.random(in: 0...255, using: &randomness)
        gif.extensions = extensions(&randomness)
        gif.frames[0].extensions = extensions(&randomness)
        for _ in 0..<Int.random(in: 0...2, using: &randomness) {
            gif.frames.append(frame(codeSize: codeSize, &randomness))
        }
        gif.trailer = [[0x3B], [], [0x3B, 1, 2, 3]].randomElement(using: &randomness) ?? []
        return gif
    }

    private static func frame(
        codeSize: Int, _ randomness: inout SplitMix64
    ) -> Frame {
        let content = Int.random(in: 0...3, using: &randomness)
        var run: UInt8 = 0
        var frame = Frame(
            width: Int.random(in: 1...40, using: &randomness),
            height: Int.random(in: 1...25, using: &randomness), codeSize: codeSize
        ) { place in
            switch content {
            case 0: return UInt8.random(in: 0...255, using: &randomness)
            case 1: return 2
            case 2: return UInt8(truncatingIfNeeded: place / 5)
            default:
                if Int.random(in: 0...9, using: &randomness) == 0 { run &+= 3 }
                return run
            }
        }
        if Bool.random(using: &randomness) {
            frame.left = Int.random(in: 0...9, using: &randomness)
            frame.top = Int.random(in: 0...9, using: &randomness)
        }
        frame.isInterlaced = Bool.random(using: &randomness)
        if Int.random(in: 0...2, using: &randomness) == 0 {
            frame.transparentIndex = UInt8.random(
                in: 0..<UInt8(truncatingIfNeeded: min(255, 1 << codeSize)), using: &randomness)
        }
        frame.disposal = UInt8.random(in: 0...7, using: &randomness)
        frame.encoder.clearing =
            [.whenFull, .deferred, .every(20)].randomElement(using: &randomness) ?? .whenFull
        frame.encoder.clearsFirst = Int.random(in: 0...9, using: &randomness) > 0
        frame.chunks = (0..<5).map { _ in
            Int.random(
                in: 1...([2, 20, 255].randomElement(using: &randomness) ?? 255),
                using: &randomness)
        }
        return frame
    }

    private static func extensions(_ randomness: inout SplitMix64) -> [UInt8] {
        let kinds: [[UInt8]] = [
            [], [], [0x21, 0xFE], [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8),
            [0x21, 0x01, 12] + [UInt8](repeating: 0x21, count: 12), [0x21, 0x42, 1, 0x2C],
        ]
        let kind = kinds.randomElement(using: &randomness) ?? []
        guard !kind.isEmpty else { return [] }
        let data = (0..<Int.random(in: 0...600, using: &randomness)).map { _ in
            UInt8.random(in: 0...255, using: &randomness)
        }
        return kind + chunked(data, [255, 3])
    }
}
