import AttachmentContainer

/// The processor time of decoding, estimated before any pixel is decoded.
package enum DecodingTime {
    /// How many times as long as the time left an estimate may be.
    ///
    /// Estimates are for one core of the benchmark's machine. Work that a machine four times as fast
    /// would finish in time is still tried, and then ended by its deadline.
    package static let margin = 4.0

    /// Nanoseconds for a pixel, and for a byte of the file, by `bench/decoding-time/rates.py`
    /// (`bench/results/decoding-time.md`).
    private struct Rate {
        let pixel: Double
        let byte: Double
        /// The most bytes a pixel that are counted: files also hold what is not decoded, such as the
        /// other frames of a sequence, a movie behind a photograph, or metadata.
        let bytesPerPixel: Double
    }

    /// Estimates the time for a plan.
    ///
    /// - Parameter plan: A plan whose decoder is not that of animations.
    /// - Returns: The time; of an embedded preview, that of the preview.
    package static func estimate(of plan: Plan) -> Duration {
        estimate(
            of: plan.decodedHeader, pixels: plan.decodedHeader.storedSize.pixelCount, passes: 1)
    }

    /// Estimates the time for a number of pixels.
    ///
    /// - Parameters:
    ///   - header: The header of the attachment.
    ///   - pixels: The pixels of all frames together.
    ///   - passes: How often all of them are decoded.
    /// - Returns: The time.
    package static func estimate(
        of header: AttachmentHeader, pixels: Int, passes: Int
    ) -> Duration {
        let rate = rate(of: header)
        let pixels = Double(pixels)
        let bytes = min(Double(header.fileBytes.bytes), pixels * rate.bytesPerPixel)
        let nanoseconds = Double(passes) * (pixels * rate.pixel + bytes * rate.byte)
        // What is longer than a year is a year: a duration does not hold every number.
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
        // For a byte, the figure of frames of an animation, which is lower than that of a still.
        case (.gif, _): Rate(pixel: 26.4, byte: 30, bytesPerPixel: 2)
        case (.heic, _): Rate(pixel: 196, byte: 34.1, bytesPerPixel: 0.5)
        case (.avif, _): Rate(pixel: 149, byte: 426, bytesPerPixel: 0.25)
        case (.tiff, _): Rate(pixel: 12.5, byte: 20.4, bytesPerPixel: 8)
        }
    }
}
