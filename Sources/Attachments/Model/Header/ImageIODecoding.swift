/// Memory that Apple's ImageIO is assumed to take for decoding a coding.
///
/// Not measured on a device: each format declares what its coding forces a decoder to hold, and the
/// whole picture where Apple documents no subsampling.
package struct ImageIODecoding: Sendable, Hashable {
    /// True if the decoded picture has 1/2, 1/4 or 1/8 of the sides, on request.
    ///
    /// Apple documents `kCGImageSourceSubsampleFactor` for JPEG, HEIF, TIFF and PNG. Only the codings
    /// of JPEG and HEIF have a cheaper way to a smaller picture.
    package let isSubsampled: Bool
    /// Bytes per stored pixel beside the decoded picture, held at full size whatever the factor.
    package let heldBytes: Double

    package init(isSubsampled: Bool = false, heldBytes: Double = 0) {
        self.isSubsampled = isSubsampled
        self.heldBytes = heldBytes
    }
}
