/// A file that may be an animation.
package struct AnimationFile: Sendable {
    /// Formats with a frame-by-frame decoder.
    package enum Format: String, Sendable, CaseIterable {
        /// GIF89a.
        case gif
        /// RFC 9649, section 2.7.1.1.
        case webp
        /// PNG specification, third edition, 11.3.6.
        case png
    }

    /// A regular file, owned by the caller and open as long as frames are read.
    package let descriptor: CInt
    package let length: Int
    package let format: Format
    /// If true, missing and damaged data leave pixels unchanged, as in viewers; otherwise they are
    /// faults.
    package let isTolerant: Bool

    package init(descriptor: CInt, length: Int, format: Format, isTolerant: Bool = true) {
        self.descriptor = descriptor
        self.length = length
        self.format = format
        self.isTolerant = isTolerant
    }

    /// Opens the frames, before the first one.
    package func frames(in scratch: ScratchSpace) throws(DecodingFault) -> any AnimatedFrames {
        switch format {
        case .gif:
            try GIFAnimationFrames(
                descriptor: descriptor, length: length, scratch: scratch, isTolerant: isTolerant)
        case .webp:
            try WebPAnimationFrames(
                descriptor: descriptor, length: length, scratch: scratch, isTolerant: isTolerant)
        case .png:
            try APNGAnimationFrames(
                descriptor: descriptor, length: length, scratch: scratch, isTolerant: isTolerant)
        }
    }
}
