package import AttachmentModel

/// A file that may be an animation.
package struct AnimationFile: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        /// GIF89a.
        case gif
        /// RFC 9649, section 2.7.1.1.
        case webp
        /// PNG specification, third edition, 11.3.6.
        case png
        /// AV1 Image File Format 1.1, section 3.
        case avif
        /// ISO/IEC 23008-12, section 7 and annex B.
        case heic

        /// The format of a probed attachment; nil for one without animations.
        package init?(_ format: AttachmentFormat) { self.init(rawValue: format.rawValue) }
    }

    package let openFile: OpenFile
    package let format: Format
    /// If true, missing and damaged data leave pixels unchanged, as in viewers; otherwise they are
    /// faults.
    package let isTolerant: Bool

    package init(_ openFile: OpenFile, format: Format, isTolerant: Bool = true) {
        (self.openFile, self.format, self.isTolerant) = (openFile, format, isTolerant)
    }

    package func frames(in space: PlaneSpace) throws(DecodingFault) -> any AnimatedFrames {
        switch format {
        case .gif:
            try GIFAnimationFrames(openFile, in: space, isTolerant: isTolerant)
        case .webp:
            try WebPAnimationFrames(openFile, in: space, isTolerant: isTolerant)
        case .png:
            try APNGAnimationFrames(openFile, in: space, isTolerant: isTolerant)
        case .avif, .heic:
            try HEIFAnimationFrames(openFile, in: space, isTolerant: isTolerant)
        }
    }
}
