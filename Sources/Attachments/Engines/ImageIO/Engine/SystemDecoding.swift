package import AttachmentContainer
package import AttachmentModel

/// Decoders of the system: ImageIO and Quick Look on Apple's platforms, and scripted ones in tests.
package protocol SystemDecoding: Sendable {
    associatedtype Picture: SystemPicture

    var version: String { get }

    /// Decodes a picture at a size; it must not be enlarged.
    func decode(_ request: ThumbnailRequest) throws(SystemFault) -> Picture
}

/// Request for a picture of the system's.
package struct ThumbnailRequest: Sendable {
    package enum Source: Sendable, Hashable {
        /// Decoded in this process, at a fraction of the sides: 1, 1/2, 1/4 or 1/8.
        case picture(subsampling: Int)
        /// The picture that a camera embedded.
        case embedded
        /// Decoded in a process of the system's.
        case service
    }

    /// The open file, which its path may no longer lead to.
    package let file: AttachmentFile
    package let format: AttachmentFormat
    package let source: Source
    /// Upright size, in pixels.
    package let size: PixelSize
    package let colourSpace: ProcessingSettings.ColourSpace
    /// True to show the intact part of a damaged file.
    package let isTolerant: Bool
    /// Polled while a service works.
    package let isCancelled: @Sendable () -> Bool
}
