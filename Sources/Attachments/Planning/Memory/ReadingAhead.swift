import AttachmentModel

/// Decoding of a JPEG's next rows by a thread of its own.
package enum ReadingAhead {
    /// Rows of MCUs that are held: one in use, one decoded and one being decoded.
    package static let sets = 3
    /// Stack of the thread; libjpeg uses 2 KiB of it, and the Swift runtime requires the rest.
    package static let stackBytes = 128 << 10
    /// Touched pages of the stack, and the thread's control block.
    static let threadBytes = 32_768.0
}

extension Plan {
    /// True if its JPEG may be read ahead, by a process that places large blocks in files.
    ///
    /// Our own decoders need a larger stack, and conversions from inks a heap of their own.
    package var readsAhead: Bool {
        decoder == .library && decodedHeader.format == .jpeg && decodedHeader.colourModel != .cmyk
    }
}
