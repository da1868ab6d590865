/// A file that may be an animation.
package struct AnimationFile: Sendable {
    /// The formats whose frames can be drawn one after the other.
    package enum Format: String, Sendable, CaseIterable {
        /// GIF89a.
        case gif
        /// RFC 9649, section 2.7.1.1.
        case webp
        /// PNG specification, third edition, 11.3.6.
        case png
    }

    /// A regular file, open for reading; it stays the caller's, and open as long as frames are read.
    package let descriptor: CInt
    /// Its length, in bytes.
    package let length: Int
    /// What it is.
    package let format: Format
    /// Whether missing and damaged data only leave pixels as they are.
    package let isTolerant: Bool

    /// Names a file.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - length: Its length, in bytes.
    ///   - format: What it is.
    ///   - isTolerant: Whether missing and damaged data only leave pixels as they are. The default
    ///     is true, as viewers have it.
    package init(descriptor: CInt, length: Int, format: Format, isTolerant: Bool = true) {
        self.descriptor = descriptor
        self.length = length
        self.format = format
        self.isTolerant = isTolerant
    }

    /// Opens the frames, before the first one.
    ///
    /// - Parameter scratch: Where the canvas lies when it takes more than 64 KiB.
    /// - Returns: The frames.
    /// - Throws: `DecodingFault` with code `corrupt`, `truncated`, `unsupported`, `overCeiling` or
    ///   `unreadable`.
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
