#if SYSTEM_CODECS
    extension TIFFPixels {
        /// True if coded and output pixels have the same size.
        var isInPlace: Bool { palette == nil && bits <= 16 && codedSamples == layout.bands }

        /// Converts interleaved pixels; `pixels` may alias `coded` if `isInPlace`.
        func convert(_ coded: UnsafeRawPointer, count: Int, to pixels: UnsafeMutableRawPointer) {
            if let palette {
                return palette.withUnsafeBufferPointer { colours in
                    lookUp(coded, count: count, in: colours, to: pixels)
                }
            }
            let bands = layout.bands
            if !isInPlace {
                for band in 0..<bands {
                    write(coded + band * bits / 8, asBand: band, count: count, in: pixels)
                }
            } else if coded != UnsafeRawPointer(pixels) {
                pixels.copyMemory(from: coded, byteCount: count * bands * bits / 8)
            }
            finish(pixels, count: count)
        }

        /// Writes one band of the output pixels, in 8 or 16 bits, from separate planes.
        func write(
            _ coded: UnsafeRawPointer, asBand band: Int, count: Int,
            in pixels: UnsafeMutableRawPointer
        ) {
            switch bits {
            case 32 where isFloat:
                scatter(coded, band, count, pixels) { (value: Float) in
                    // False for NaN.
                    value > 0 ? UInt16(min(value, 1) * 65_535 + 0.5) : 0
                }
            case 32:
                scatter(coded, band, count, pixels) { (value: UInt32) in
                    UInt16(truncatingIfNeeded: value &>> 16)
                }
            case 16:
                scatter(coded, band, count, pixels) { (value: UInt16) in value }
            default:
                scatter(coded, band, count, pixels) { (value: UInt8) in value }
            }
        }

        @inline(__always)
        private func scatter<Coded, Sample>(
            _ coded: UnsafeRawPointer, _ band: Int, _ count: Int, _ pixels: UnsafeMutableRawPointer,
            _ convert: (Coded) -> Sample
        ) {
            let values = coded.assumingMemoryBound(to: Coded.self)
            let output = pixels.assumingMemoryBound(to: Sample.self)
            let (bands, samples) = (layout.bands, codedSamples)
            for pixel in 0..<count {
                output[pixel &* bands &+ band] = convert(values[pixel &* samples])
            }
        }

        func finish(_ pixels: UnsafeMutableRawPointer, count: Int) {
            if layout.bytesPerSample == 2 {
                finish(pixels.assumingMemoryBound(to: UInt16.self), count: count)
            } else {
                finish(pixels.assumingMemoryBound(to: UInt8.self), count: count)
            }
        }

        private func finish<Sample: FixedWidthInteger>(
            _ samples: UnsafeMutablePointer<Sample>, count: Int
        ) {
            if isInverted { invert(samples, count: count) }
            if isPremultiplied { unpremultiply(samples, count: count) }
        }

        private func lookUp(
            _ coded: UnsafeRawPointer, count: Int, in colours: UnsafeBufferPointer<UInt8>,
            to pixels: UnsafeMutableRawPointer
        ) {
            // `colours` has `bands` bytes for every value of `bits` bits, which `mask` selects.
            let (bits, bands) = (bits, layout.bands)
            let mask = 1 << bits - 1
            let values = coded.assumingMemoryBound(to: UInt8.self)
            let samples = pixels.assumingMemoryBound(to: UInt8.self)
            for pixel in 0..<count {
                let position = pixel &* bits
                // The first pixel has the highest bits (TIFF 6.0, fill order 1).
                let shift = 8 &- bits &- position & 7
                let value = Int(values[position >> 3]) >> shift & mask
                if bands == 1 {
                    samples[pixel] = colours[value]
                } else {
                    samples[3 &* pixel] = colours[3 &* value]
                    samples[3 &* pixel &+ 1] = colours[3 &* value &+ 1]
                    samples[3 &* pixel &+ 2] = colours[3 &* value &+ 2]
                }
            }
        }

        /// Inverts the first sample of each pixel, which counts from white.
        private func invert<Sample: FixedWidthInteger>(
            _ samples: UnsafeMutablePointer<Sample>, count: Int
        ) {
            let bands = layout.bands
            for index in stride(from: 0, to: count &* bands, by: bands) {
                samples[index] = .max &- samples[index]
            }
        }

        /// Divides the colours by alpha as libvips does: in single precision, truncated
        /// (`vips_unpremultiply` and `vips_cast`).
        private func unpremultiply<Sample: FixedWidthInteger>(
            _ samples: UnsafeMutablePointer<Sample>, count: Int
        ) {
            let bands = layout.bands
            let largest = Double(Sample.max)
            for start in stride(from: 0, to: count &* bands, by: bands) {
                let alpha = samples[start &+ bands &- 1]
                let factor: Float = alpha == 0 ? 0 : Float(largest / Double(alpha))
                for index in start..<start &+ bands &- 1 {
                    samples[index] = Sample(min(factor * Float(samples[index]), Float(largest)))
                }
            }
        }
    }
#endif
