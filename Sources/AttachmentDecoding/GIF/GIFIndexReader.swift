/// Gives the indices of a frame's pixels in the order of the file, as many at a time as are asked
/// for.
///
/// It holds strings that reach beyond what was asked for, and decodes some way ahead, so that the
/// decoder's loop is entered once in thousands of pixels even where rows are narrow.
final class GIFIndexReader {
    /// How far decoding runs ahead of a row, in pixels.
    private static let ahead = 8 << 10

    private var decoder: LZWDecoder
    /// Indices that are decoded and not given; room for `limit`, the longest string and its overrun.
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private let limit: Int
    private var start = 0
    private var end = 0
    /// Pixels up to the end of the frame that are not decoded yet: what follows them in the file is
    /// none of ours, and its damage neither.
    private var outstanding: Int
    private let isTolerant: Bool

    /// Opens the data of a frame.
    ///
    /// - Parameters:
    ///   - descriptor: The file; it stays the caller's.
    ///   - length: The length of the file, in bytes.
    ///   - frame: The frame.
    ///   - isTolerant: Whether missing and damaged data only end the frame.
    init(descriptor: CInt, length: Int, frame: GIFFrame, isTolerant: Bool) {
        let data = GIFSubBlocks(descriptor: descriptor, length: length, from: frame.dataOffset)
        decoder = LZWDecoder(data, minimumCodeSize: frame.minimumCodeSize)
        limit = frame.width + Self.ahead
        buffer = .allocate(capacity: limit + LZWDecoder.longestString + LZWDecoder.overrun)
        outstanding = frame.width * frame.height
        self.isTolerant = isTolerant
    }

    /// Opens what another reader has open, at the same place.
    ///
    /// - Parameter other: The other reader.
    init(copying other: GIFIndexReader) {
        decoder = other.decoder.copy()
        limit = other.limit
        buffer = .allocate(capacity: other.buffer.count)
        if let base = buffer.baseAddress, let source = other.buffer.baseAddress {
            base.update(from: source, count: other.end)
        }
        (start, end) = (other.start, other.end)
        outstanding = other.outstanding
        isTolerant = other.isTolerant
    }

    deinit { buffer.deallocate() }

    /// What a reader holds, in bytes, its window included.
    ///
    /// - Parameter width: Pixels in a row of the frame.
    /// - Returns: Bytes of heap.
    static func heapBytes(width: Int) -> Int {
        LZWDecoder.heapBytes + GIFSubBlocks.windowCapacity + width + ahead
            + LZWDecoder.longestString + LZWDecoder.overrun
    }

    /// Gives the indices of the next pixels.
    ///
    /// - Parameter count: How many; at most a row.
    /// - Returns: The indices, fewer where a tolerant reader finds no more; they stay valid up to
    ///   the next call and no longer than the reader.
    /// - Throws: `DecodingFault` with code `unreadable`, and `truncated` or `corrupt` unless the
    ///   reader is tolerant.
    func next(_ count: Int) throws(DecodingFault) -> UnsafeBufferPointer<UInt8> {
        if end - start < count { try fill() }
        let given = min(count, end - start)
        defer { start += given }
        return UnsafeBufferPointer(rebasing: buffer[start..<start + given])
    }

    /// Passes over rows.
    ///
    /// - Parameters:
    ///   - rows: How many.
    ///   - width: Pixels in one of them; at most a row.
    /// - Throws: As `next`.
    func skip(rows: Int, of width: Int) throws(DecodingFault) {
        for _ in 0..<rows {
            guard try next(width).count == width else { return }
        }
    }

    /// Decodes up to the limit, or to the end of the frame.
    private func fill() throws(DecodingFault) {
        guard let base = buffer.baseAddress else { return }
        // What is left is less than a row.
        base.update(from: base + start, count: end - start)
        (start, end) = (0, end - start)
        let wanted = min(limit, end + outstanding)
        let reached = try decoder.decode(into: base, from: end, until: wanted)
        if reached < wanted, !isTolerant { throw fault }
        // A string may go beyond the frame.
        let decoded = min(reached - end, outstanding)
        outstanding -= decoded
        end += decoded
    }

    private var fault: DecodingFault {
        switch decoder.stop {
        case .illegalCode:
            DecodingFault(.corrupt, at: decoder.offset, "a code that stands for nothing yet")
        case .endOfFile:
            DecodingFault(.truncated, at: decoder.offset, "the file ends within the picture")
        case .endCode, .endOfData, nil:
            DecodingFault(.truncated, at: decoder.offset, "the data end before the picture")
        }
    }
}
