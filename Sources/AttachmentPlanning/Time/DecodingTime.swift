import AttachmentContainer
package import AttachmentModel

/// Estimated processor time of decoding.
package enum DecodingTime {
    /// Maximum ratio of an estimate to the time left.
    ///
    /// Estimates are for one core of the benchmark machine. Work that a machine four times as fast
    /// could finish is attempted; its deadline ends it otherwise.
    package static let margin = 4.0

    /// Estimate for a plan whose decoder is not `animation`; an embedded preview counts alone.
    package static func estimate(of plan: Plan) -> Duration {
        estimate(
            of: plan.decodedHeader, pixels: plan.decodedHeader.storedSize.pixelCount, passes: 1)
    }

    /// Estimate for the pixels of all frames, each decoded `passes` times.
    package static func estimate(
        of header: AttachmentHeader, pixels: Int, passes: Int
    ) -> Duration {
        let rate = header.coding.rate
        let pixels = Double(pixels)
        let bytes = min(Double(header.fileBytes.bytes), pixels * rate.bytesPerPixel)
        let nanoseconds = Double(passes) * (pixels * rate.pixel + bytes * rate.byte)
        // Clamped to a year, because a duration does not hold every number.
        return .seconds(min(nanoseconds / 1e9, 3e7))
    }
}
