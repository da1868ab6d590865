import AttachmentModel

/// Reads the indices of a frame in file order, any number at a time.
///
/// It decodes ahead and keeps strings that exceed a request. Even for narrow rows, the decoder's
/// loop is entered only once in thousands of pixels.
final class GIFIndexReader {
    /// Read-ahead beyond a row, in pixels.
    private static let ahead = 8 << 10

    private var decoder: LZWDecoder
    /// Decoded indices; room for `limit`, the longest string and its overrun.
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private let limit: Int
    private var start = 0
    private var end = 0
    /// Pixels still to decode; data beyond them are not read, so their damage does not matter.
    private var remaining: Int
    private let isTolerant: Bool

    init(_ file: OpenFile, frame: GIFFrame, isTolerant: Bool) {
        let data = GIFSubBlocks(file, from: frame.dataOffset)
        decoder = LZWDecoder(data, minimumCodeSize: frame.minimumCodeSize)
        limit = frame.width + Self.ahead
        buffer = .allocate(capacity: limit + LZWDecoder.longestString + LZWDecoder.overrun)
        remaining = frame.width * frame.height
        self.isTolerant = isTolerant
    }

    init(copying other: GIFIndexReader) {
        decoder = other.decoder.copy()
        limit = other.limit
        buffer = .allocate(capacity: other.buffer.count)
        if let base = buffer.baseAddress, let source = other.buffer.baseAddress {
            base.update(from: source, count: other.end)
        }
        (start, end) = (other.start, other.end)
        remaining = other.remaining
        isTolerant = other.isTolerant
    }

    deinit { buffer.deallocate() }

    static func heapBytes(width: Int) -> Int {
        LZWDecoder.heapBytes + GIFSubBlocks.windowCapacity + width + ahead
            + LZWDecoder.longestString + LZWDecoder.overrun
    }

    /// The next `count` indices, at most a row, valid until the next call; fewer where tolerated
    /// data are missing.
    func next(_ count: Int) throws(DecodingFault) -> UnsafeBufferPointer<UInt8> {
        if end - start < count { try fill() }
        let returned = min(count, end - start)
        defer { start += returned }
        return UnsafeBufferPointer(rebasing: buffer[start..<start + returned])
    }

    func skip(rows: Int, of width: Int) throws(DecodingFault) {
        for _ in 0..<rows {
            guard try next(width).count == width else { return }
        }
    }

    private func fill() throws(DecodingFault) {
        guard let base = buffer.baseAddress else { return }
        // Less than a row remains.
        base.update(from: base + start, count: end - start)
        (start, end) = (0, end - start)
        let wanted = min(limit, end + remaining)
        let reached = try decoder.decode(into: base, from: end, until: wanted)
        if reached < wanted, !isTolerant { throw fault }
        // A string may exceed the frame.
        let decoded = min(reached - end, remaining)
        remaining -= decoded
        end += decoded
    }

    private var fault: DecodingFault {
        switch decoder.stop {
        case .illegalCode:
            DecodingFault(.corrupt, at: decoder.offset, "an undefined LZW code")
        case .endOfFile:
            DecodingFault(.truncated, at: decoder.offset, "the file ends within the picture")
        case .endCode, .endOfData, nil:
            DecodingFault(.truncated, at: decoder.offset, "the data end before the picture")
        }
    }
}
