import Randomness

/// Recipe for a small coded picture.
struct FrameRecipe: Hashable, Sendable {
    /// True for avifenc, false for heif-enc.
    var isAV1 = true
    var width = 67
    var height = 41
    /// `420`, `422`, `444` or `mono`.
    var chroma = "420"
    /// 8, 10 or 12.
    var bits = 8
    /// Additional arguments for the encoder.
    var options: [String] = []
    /// True for noise, in which every code occurs; false for gradients.
    var isNoise = true

    /// Input for avifenc, in planes.
    var y4m: [UInt8] {
        let depth = bits > 8 ? (chroma == "mono" ? "\(bits)" : "p\(bits)") : ""
        let format = chroma == "420" && bits == 8 ? "420jpeg" : chroma + depth
        let head =
            "YUV4MPEG2 W\(width) H\(height) F1:1 Ip A1:1 C\(format) XCOLORRANGE=FULL\nFRAME\n"
        var bytes = Array(head.utf8)
        var noise = SplitMix64(seed: 1)
        for plane in 0..<(chroma == "mono" ? 1 : 3) {
            let isAcross = plane > 0 && chroma != "444"
            let isDown = plane > 0 && chroma == "420"
            for y in 0..<(isDown ? (height + 1) / 2 : height) {
                for x in 0..<(isAcross ? (width + 1) / 2 : width) {
                    append(sample(x, y, plane, &noise), to: &bytes)
                }
            }
        }
        return bytes
    }

    private func append(_ sample: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(truncatingIfNeeded: sample))
        if bits > 8 { bytes.append(UInt8(truncatingIfNeeded: sample >> 8)) }
    }

    /// A code of `bits` bits.
    private func sample(_ x: Int, _ y: Int, _ plane: Int, _ noise: inout SplitMix64) -> Int {
        let mask = 1 << bits - 1
        return isNoise
            ? Int(noise.next() >> 33) & mask : (x * 1023 / width + y * (5 + plane) * 7) & mask
    }

    /// Input for heif-enc, with 8 or 16 bits per sample; grey for `mono`.
    var png: [UInt8] {
        let bands = chroma == "mono" ? 1 : 3
        var noise = SplitMix64(seed: 1)
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width * bands {
                let ramp = x / bands * 60_000 / width + y * (300 + x % bands * 200)
                let value = (ramp + (Int(noise.next() >> 33) & (isNoise ? 0x3FFF : 0xFF))) & 0xFFFF
                rows.append(UInt8(value >> 8))
                if bits > 8 { rows.append(UInt8(value & 0xFF)) }
            }
        }
        let header =
            InterlacedSample.big(width) + InterlacedSample.big(height)
            + [bits > 8 ? 16 : 8, bands == 1 ? 0 : 2, 0, 0, 0]
        return InterlacedSample.signature + InterlacedSample.chunk("IHDR", header)
            + InterlacedSample.chunk("IDAT", Self.stored(rows)) + InterlacedSample.chunk("IEND")
    }

    /// A zlib stream of stored blocks (RFC 1950 and 1951).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 0xFFFF) {
            let block = bytes[start..<min(start + 0xFFFF, bytes.count)]
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            stream += [start + 0xFFFF >= bytes.count ? 1 : 0, low, high, ~low, ~high] + block
        }
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return stream + InterlacedSample.big(b << 16 | a)
    }
}
