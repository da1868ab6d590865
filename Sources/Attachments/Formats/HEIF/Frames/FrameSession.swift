#if SYSTEM_CODECS
    /// Decoder of frames with one codec.
    protocol FrameSession: AnyObject {
        /// False after a fault in a sequence that spoils later frames.
        var isIntact: Bool { get }
        /// Decodes the next frame of a sequence in decoding order, or a still picture.
        func decode(_ bytes: consuming ExtentReader) throws(DecodingFault) -> DecodedFrame
    }
#endif
