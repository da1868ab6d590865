import AttachmentModel
internal import CInflate
internal import CZlib

/// Inflates the image data, from the start or from a saved state.
final class ImageDataInflater {
    /// Heap of an inflater: its window and codes, and the file window.
    static let heapBytes = thimble_inflater_bytes() + FileWindow.defaultCapacity

    /// Limit on consecutive empty blocks, of a few microseconds each; encoders write one or two at
    /// a flush.
    static let maxEmptyBlocks = 1 << 16

    struct Source {
        let file: OpenFile
        let isTolerant: Bool
        var type = FourCC.imageData
    }

    private enum End {
        case complete
        case shortage
        case emptyBlocks
        case invalid(String)
    }

    private let source: Source
    private var chunks: ImageDataChunks
    // Owned by this object.
    private let inflater: OpaquePointer
    private var end: End?

    /// In an fdAT chunk, `offset` is after the sequence number, which `checksum` already covers.
    init(
        _ source: Source, at offset: Int, chunkLength length: Int, checksum: uLong? = nil
    ) throws(DecodingFault) {
        self.source = source
        chunks = ImageDataChunks(source, at: offset, chunkLength: length, checksum: checksum)
        guard
            let inflater = thimble_inflater_new(!source.isTolerant, UInt32(Self.maxEmptyBlocks))
        else { throw Self.outOfMemory(at: offset) }
        self.inflater = inflater
    }

    init(copying other: ImageDataInflater) throws(DecodingFault) {
        source = other.source
        chunks = other.chunks.uncheckedCopy()
        end = other.end
        guard let inflater = thimble_inflater_copy(other.inflater) else {
            throw Self.outOfMemory(at: other.offset)
        }
        self.inflater = inflater
    }

    deinit { thimble_inflater_free(inflater) }

    var offset: Int { chunks.offset }

    func next(
        _ buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(DecodingFault) -> UnsafePointer<UInt8>? {
        var (ready, before) = (0, -1)
        var start = thimble_inflater_ready(inflater, &ready)
        // Without a new byte, the window is full, or the stream ends.
        while ready < buffer.count, ready > before, end == nil {
            before = ready
            _ = try inflateNext()
            start = thimble_inflater_ready(inflater, &ready)
        }
        if ready >= buffer.count {
            thimble_inflater_skip(inflater, buffer.count)
            noteEnd()
            return start
        }
        guard try fill(buffer) == buffer.count else {
            try report(end)
            return nil
        }
        return UnsafePointer(buffer.baseAddress)
    }

    /// Passes on the next inflated bytes, at most `most`, where they lie; none if a damaged file ends
    /// early.
    func readNext(
        atMost most: Int,
        _ body: (UnsafeBufferPointer<UInt8>) throws(DecodingFault) -> Void
    ) throws(DecodingFault) -> Int {
        var hasInput = true
        while true {
            var ready = 0
            let start = thimble_inflater_ready(inflater, &ready)
            let count = min(ready, most)
            if count > 0 {
                // The bytes stay where they are until more is inflated.
                try body(UnsafeBufferPointer(start: start, count: count))
                thimble_inflater_skip(inflater, count)
                return count
            }
            noteEnd()
            if end == nil, !hasInput { end = .shortage }
            guard end == nil else { break }
            hasInput = try inflateNext()
        }
        try report(end)
        return 0
    }

    /// Reads the end of the stream after the last row; surplus rows are ignored, as libpng does.
    ///
    /// Returns the fault of an end that is missing or has a wrong checksum: no pixel is lost, and the
    /// chunks have checksums of their own. Strict callers get an error.
    @discardableResult
    func finish(isStrict: Bool = false) throws(DecodingFault) -> HarmlessFault? {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) {
            (surplus) throws(DecodingFault) in
            guard try fill(surplus) < surplus.count else { return nil }
            switch end {
            case .complete: return nil
            case .invalid, .shortage:
                if isStrict { try report(end) }
                return .streamEnd
            case .emptyBlocks, nil:
                try report(end)
                return nil
            }
        }
    }

    /// Skips a buffer of surplus image data; at the end, returns the offset of what follows.
    func skipRest() throws(DecodingFault) -> Int? {
        try chunks.withBytes(\.count)
        return chunks.end == nil ? nil : chunks.offset
    }

    private func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>) throws(DecodingFault) -> Int {
        var count = take(buffer)
        while count < buffer.count, end == nil {
            let hasInput = try inflateNext()
            let taken = take(.init(rebasing: buffer[count...]))
            count += taken
            if end == nil, !hasInput, taken == 0 { end = .shortage }
        }
        return count
    }

    /// Takes inflated bytes, and notes the end of the stream after the last one.
    private func take(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let count = thimble_inflater_take(inflater, buffer.baseAddress, buffer.count)
        noteEnd()
        return count
    }

    private func noteEnd() {
        switch thimble_inflater_status(inflater) {
        case THIMBLE_INFLATE_END: end = .complete
        case THIMBLE_INFLATE_EMPTY_BLOCKS: end = .emptyBlocks
        case THIMBLE_INFLATE_INVALID:
            end = .invalid(String(cString: thimble_inflater_message(inflater)))
        default: break
        }
    }

    /// Inflates buffered input; returns false without any.
    private func inflateNext() throws(DecodingFault) -> Bool {
        let inflater = inflater
        var hasInput = false
        try chunks.withBytes { bytes in
            hasInput = !bytes.isEmpty
            return thimble_inflate(inflater, bytes.baseAddress, bytes.count)
        }
        return hasInput
    }

    private func report(_ end: End?) throws(DecodingFault) {
        guard !source.isTolerant else { return }
        switch end {
        case .emptyBlocks:
            throw DecodingFault(
                .limit, at: offset, "its image data have too many empty blocks")
        case .invalid(let reason):
            throw DecodingFault(
                PNGFault.stream.loss, at: offset, "its image data are invalid: \(reason)")
        case .complete, .shortage, nil:
            throw DecodingFault(
                PNGFault.dataEnd.loss, at: offset, "its image data end too early")
        }
    }

    private static func outOfMemory(at offset: Int) -> DecodingFault {
        DecodingFault(.overCeiling, at: offset, "no memory is left to inflate its image data")
    }
}
