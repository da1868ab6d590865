internal import AttachmentModel

/// Conversion of a stored row to RGB or RGBA.
struct BMPPixelConversion {
    private enum Kind {
        /// Red, green and blue of each index, with unused top bits.
        case palette(bits: Int, [UInt32])
        /// Blue, green and red bytes, and one unused in 32 bits.
        case bytes(perPixel: Int)
        case masks(bytesPerPixel: Int, [Channel])
    }

    /// A channel of at most eight bits; further ones are dropped.
    private struct Channel {
        let shift: UInt32
        let mask: UInt32
        /// Sample of 8 bits for each value.
        let samples: [UInt8]

        init(_ bits: UInt32) {
            let used = min(8, bits.nonzeroBitCount)
            shift = bits == 0 ? 0 : UInt32(32 - bits.leadingZeroBitCount - used)
            let most = (1 << used) - 1
            mask = UInt32(most)
            samples = (0...255).map {
                UInt8(most == 0 ? 0 : (min($0, most) * 255 + most / 2) / most)
            }
        }
    }

    private let kind: Kind

    /// Indices, of which `colours` has 256.
    init(indexBits: Int, colours: [UInt32]) { kind = .palette(bits: indexBits, colours) }

    init(_ masks: BMPMasks, bitsPerPixel: Int, hasAlpha: Bool) {
        if masks.limited(to: 24) == .bytes, bitsPerPixel >= 24, !hasAlpha {
            kind = .bytes(perPixel: bitsPerPixel / 8)
        } else {
            kind = .masks(
                bytesPerPixel: bitsPerPixel / 8,
                masks.all.prefix(hasAlpha ? 4 : 3).map { Channel($0) })
        }
    }

    /// Converts as many pixels as `output` has; `row` has at least so many.
    func convert(_ row: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer) {
        switch kind {
        case .palette(let bits, let colours):
            let last = UInt8(truncatingIfNeeded: (1 << bits) - 1)
            colours.withUnsafeBufferPointer { colours in
                for x in 0..<output.count / 3 {
                    let bit = x &* bits
                    let index = row[bit >> 3] >> UInt8(8 &- bits &- (bit & 7)) & last
                    let colour = colours[Int(index)]
                    output[3 &* x] = UInt8(truncatingIfNeeded: colour >> 16)
                    output[3 &* x &+ 1] = UInt8(truncatingIfNeeded: colour >> 8)
                    output[3 &* x &+ 2] = UInt8(truncatingIfNeeded: colour)
                }
            }
        case .bytes(let step):
            for x in 0..<output.count / 3 {
                output[3 &* x] = row[step &* x &+ 2]
                output[3 &* x &+ 1] = row[step &* x &+ 1]
                output[3 &* x &+ 2] = row[step &* x]
            }
        case .masks(let step, let channels):
            for (band, channel) in channels.enumerated() {
                draw(channel, band, of: channels.count, row, step: step, to: output)
            }
        }
    }

    private func draw(
        _ channel: Channel, _ band: Int, of bands: Int, _ row: UnsafeRawBufferPointer, step: Int,
        to output: UnsafeMutableRawBufferPointer
    ) {
        channel.samples.withUnsafeBufferPointer { samples in
            for x in 0..<output.count / bands {
                let start = step &* x
                var pixel = UInt32(row[start]) | UInt32(row[start &+ 1]) << 8
                if step > 2 { pixel |= UInt32(row[start &+ 2]) << 16 }
                if step > 3 { pixel |= UInt32(row[start &+ 3]) << 24 }
                output[bands &* x &+ band] = samples[Int(pixel >> channel.shift & channel.mask)]
            }
        }
    }
}
