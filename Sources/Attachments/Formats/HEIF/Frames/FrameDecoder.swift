internal import AttachmentModel

struct FrameDecoder: Sendable {
    /// The picture's file; must stay open while frames are decoded.
    let file: OpenFile
    let scratch: ScratchSpace
    var heapCeiling = Int.max
    var isTolerant = false
    /// 2 to decode two tiles of a grid at the same time; `heapCeiling` holds for each.
    var threads = 1
    /// Called before each HEVC slice and before an AV1 frame.
    let isCancelled: @Sendable () -> Bool

    /// A decoded size other than the size of `frame`, for which memory was planned, is a fault.
    func decode(_ frame: CodedFrame) throws(DecodingFault) -> DecodedFrame {
        guard 1...65535 ~= frame.width, 1...65535 ~= frame.height else {
            throw frame.fault(.unsupported, "no decoder supports its size")
        }
        let isTruncated = try ExtentReader(file, extents: frame.extents).isTruncated
        guard isTolerant || !isTruncated else {
            throw DecodingFault(
                .truncated, at: file.length, "the file ends before its coded bytes do")
        }
        guard !isCancelled() else { throw frame.fault(.cancelled, "it was cancelled") }
        #if SYSTEM_CODECS
            return frame.isAV1 ? try decodeAV1(frame) : try decodeHEVC(frame)
        #else
            throw .notBuilt(frame.isAV1 ? .dav1d : .libde265)
        #endif
    }

    #if SYSTEM_CODECS
        private func decodeAV1(_ frame: CodedFrame) throws(DecodingFault) -> DecodedFrame {
            let decoded = try DeepStack.run(bytes: FrameDemand.stackOfAV1) {
                () throws(DecodingFault) in
                try AV1Session(frame, self).decode(ExtentReader(file, extents: frame.extents))
            }
            guard let decoded else { throw frame.fault(.unreadable, "no thread can be started") }
            return decoded
        }

        private func decodeHEVC(_ frame: CodedFrame) throws(DecodingFault) -> DecodedFrame {
            try HEVCSession(frame, self).decode(ExtentReader(file, extents: frame.extents))
        }
    #endif

    func record(_ range: Range<Int>, atMost ceiling: Int) throws(DecodingFault) -> [UInt8] {
        guard range.count <= ceiling else {
            throw DecodingFault(
                .limit, at: range.lowerBound, "a record of \(range.count) bytes")
        }
        var window = FileWindow(file, over: range, capacity: min(4_096, max(1, range.count)))
        let bytes = try window.readBytes(range.count)
        guard bytes.count == range.count else {
            throw DecodingFault(
                .truncated, at: range.lowerBound + bytes.count, "the file ends inside its header")
        }
        return bytes
    }
}
