package import AttachmentModel

/// Decodes AV1 and HEVC pictures into scratch memory.
package final class FrameDecoder {
    private let file: OpenFile
    private let scratch: ScratchSpace
    private let heapCeiling: Int
    private let isTolerant: Bool

    /// Makes a decoder for the pictures of a file, which must stay open.
    ///
    /// A picture that needs more than `heapCeiling` bytes of the heap is a fault of code
    /// `overCeiling`. A tolerant decoder also returns damaged and incomplete pictures.
    package init(
        _ file: OpenFile, scratch: ScratchSpace, heapCeiling: Int = .max,
        isTolerant: Bool = false
    ) {
        self.file = file
        self.scratch = scratch
        self.heapCeiling = heapCeiling
        self.isTolerant = isTolerant
    }

    /// Decodes the first picture of a bitstream.
    ///
    /// A size other than that of `frame`, for which memory was planned, is a fault. `isCancelled`
    /// is called before each HEVC slice and before an AV1 frame.
    package func decode(
        _ frame: CodedFrame, isCancelled: () -> Bool
    ) throws(DecodingFault) -> DecodedFrame {
        guard 1...65535 ~= frame.width, 1...65535 ~= frame.height else {
            throw DecodingFault(
                .unsupported, at: frame.offset, "no decoder supports its size")
        }
        let bytes = try ExtentReader(
            file, extents: frame.extents)
        guard isTolerant || !bytes.isTruncated else {
            throw DecodingFault(
                .truncated, at: file.length, "the file ends before its coded bytes do")
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
