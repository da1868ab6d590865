/// Decodes pictures that are coded as a whole, AV1 or HEVC, into scratch files.
package final class FrameDecoder {
    private let descriptor: CInt
    private let length: Int
    private let scratch: ScratchSpace
    private let heapCeiling: Int
    private let isTolerant: Bool

    /// Makes a decoder for the pictures of a file.
    ///
    /// - Parameters:
    ///   - descriptor: The file, open for reading; it stays the caller's.
    ///   - length: The file's length in bytes.
    ///   - scratch: Where frames lie.
    ///   - heapCeiling: What decoding may take of the heap, in bytes: a picture whose bitstream
    ///     needs more than its size lets expect is a fault of code `overCeiling` then. The default
    ///     is no ceiling.
    ///   - isTolerant: Whether a picture is given whose bytes are damaged or missing in part; what
    ///     they were for stays as the decoder leaves it. The default is no.
    package init(
        descriptor: CInt, length: Int, scratch: ScratchSpace, heapCeiling: Int = .max,
        isTolerant: Bool = false
    ) {
        self.descriptor = descriptor
        self.length = length
        self.scratch = scratch
        self.heapCeiling = heapCeiling
        self.isTolerant = isTolerant
    }

    /// Decodes a picture.
    ///
    /// The frame is what its bitstream gives first, and has the size that `frame` says: another
    /// size is a fault, since memory was planned for this one.
    ///
    /// - Parameters:
    ///   - frame: The picture.
    ///   - isCancelled: Asked between the pieces that the decoder gets: the slices of HEVC, and
    ///     before an AV1 frame.
    /// - Returns: The frame.
    /// - Throws: `DecodingFault`.
    package func decode(
        _ frame: CodedFrame, isCancelled: () -> Bool
    ) throws(DecodingFault) -> DecodedFrame {
        guard 1...65535 ~= frame.width, 1...65535 ~= frame.height else {
            throw DecodingFault(
                .unsupported, at: frame.offset, "no decoder knows pictures of its size")
        }
        let bytes = try ExtentReader(
            descriptor: descriptor, length: length, extents: frame.extents)
        guard isTolerant || !bytes.isTruncated else {
            throw DecodingFault(.truncated, at: length, "the file ends before its coded bytes do")
        }
        guard !isCancelled() else {
            throw DecodingFault(.cancelled, at: frame.offset, "it was cancelled")
        }
        switch frame.codec {
        case .hevc:
            let session = try HEVCSession(
                frame, scratch: scratch, heapCeiling: heapCeiling, isTolerant: isTolerant)
            return try session.decode(bytes, isCancelled: isCancelled)
        case .av1:
            let session = try AV1Session(frame, scratch: scratch, heapCeiling: heapCeiling)
            return try session.decode(bytes)
        }
    }
}
