/// The first fields of a frame after a reduced header of a still picture.
///
/// AV1 specification, 5.9.2 and 5.9.5 to 5.9.8: with such a header, the frame takes its size from the
/// sequence; only the size to render at is its own.
struct AV1FrameStart {
    private let frame: [UInt8]

    init(_ frame: [UInt8]) { self.frame = frame }

    /// Checks that the frame's size is the sequence's.
    func validate() throws(InlinePictureError) {
        // Enough for all fields that are read.
        var bits = BitReader(frame.prefix(8))
        _ = try bits.flag()  // disable_cdf_update
        let allowsScreenContentTools = try bits.flag()
        // seq_force_integer_mv is SELECT_INTEGER_MV with a reduced header.
        if allowsScreenContentTools { _ = try bits.flag() }
        // frame_size_override_flag is 0, and superres is not enabled, so neither has a bit.
        guard try !bits.flag() else {
            throw InlinePictureError(
                .size, "the frame has a size to render at, other than the header's")
        }
    }
}
