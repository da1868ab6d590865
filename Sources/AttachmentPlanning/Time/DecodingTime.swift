import AttachmentContainer

/// Estimated processor time of decoding.
package enum DecodingTime {
    /// Maximum ratio of an estimate to the time left.
    ///
    /// Estimates are for one core of the benchmark machine. Work that a machine four times as fast
    /// could finish is attempted; its deadline ends it otherwise.
    package static let margin = 4.0

    /// Nanoseconds per pixel and per byte of the file, from `bench/decoding-time/rates.py`
    /// (`bench/results/decoding-time.md`).
    private struct Rate {
        let pixel: Double
        let byte: Double
        /// Maximum bytes counted per pixel.
        ///
        /// Files also hold undecoded data, such as other frames of a sequence, a movie behind a
        /// photograph, or metadata.
        let bytesPerPixel: Double
    }

    /// Estimate for a plan whose decoder is not `animation`; an embedded preview counts alone.
    package static func estimate(of plan: Plan) -> Duration {
        estimate(
            of: plan.decodedHeader, pixels: plan.decodedHeader.storedSize.pixelCount, passes: 1)
    }

    /// Estimate for the pixels of all frames, each decoded `passes` times.
    package static func estimate(
        of header: AttachmentHeader, pixels: Int, passes: Int
    ) -> Duration {
        let rate = rate(of: header)
        let pixels = Double(pixels)
        let bytes = min(Double(header.fileBytes.bytes), pixels * rate.bytesPerPixel)
        let nanoseconds = Double(passes) * (pixels * rate.pixel + bytes * rate.byte)
        // Clamped to a year, because a duration does not hold every number.
        return .seconds(min(nanoseconds / 1e9, 3e7))
    }

    private static func rate(of header: AttachmentHeader) -> Rate {
        switch (header.format, header.coding) {
        case (.jpeg, .baseline): Rate(pixel: 0.79, byte: 29.8, bytesPerPixel: 1)
        case (.jpeg, _): Rate(pixel: 5.1, byte: 81.2, bytesPerPixel: 1)
        case (.png, .interlaced): Rate(pixel: 21.5, byte: 31.2, bytesPerPixel: 8)
        case (.png, _): Rate(pixel: 17.3, byte: 15.3, bytesPerPixel: 8)
        case (.webp, .lossless): Rate(pixel: 14, byte: 57.5, bytesPerPixel: 4)
        case (.webp, _): Rate(pixel: 3.1, byte: 124.6, bytesPerPixel: 1)
        // Per byte, the rate of animation frames, which is lower than a still's.
        case (.gif, _): Rate(pixel: 26.4, byte: 30, bytesPerPixel: 2)
        case (.heic, _): Rate(pixel: 196, byte: 34.1, bytesPerPixel: 0.5)
        case (.avif, _): Rate(pixel: 149, byte: 426, bytesPerPixel: 0.25)
        case (.tiff, _): Rate(pixel: 12.5, byte: 20.4, bytesPerPixel: 8)
        }
    }
}
