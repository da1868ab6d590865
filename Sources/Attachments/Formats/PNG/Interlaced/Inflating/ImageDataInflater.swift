import AttachmentModel
internal import CZlib

/// Inflates the image data with zlib, from the start or from a saved state.
final class ImageDataInflater {
    /// Heap of an inflater: zlib's window and "about 7 kilobytes for small objects" (`zconf.h`,
    /// measured 7,160 bytes), and the file window.
    static let heapBytes = 32 << 10 + 8 << 10 + FileWindow.defaultCapacity

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
    // Owned by this object. It never moves, because zlib keeps its address.
    private let stream: UnsafeMutablePointer<z_stream>
    private var end: End?
    /// Consecutive empty blocks; the stream header ends like a block.
    private var emptyBlocks = -1
    private var isBlockEmpty = true

    /// In an fdAT chunk, `offset` is after the sequence number, which `checksum` already covers.
    init(
        _ source: Source, at offset: Int, chunkLength length: Int, checksum: uLong? = nil
    ) throws(DecodingFault) {
        self.source = source
        chunks = ImageDataChunks(source, at: offset, chunkLength: length, checksum: checksum)
        stream = try Self.makeStream(at: offset, isChecked: !source.isTolerant) {
            inflateInit_($0, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        }
    }

    init(copying other: ImageDataInflater) throws(DecodingFault) {
        source = other.source
        chunks = other.chunks.uncheckedCopy()
        (end, emptyBlocks, isBlockEmpty) = (other.end, other.emptyBlocks, other.isBlockEmpty)
        stream = try Self.makeStream(at: other.offset, isChecked: false) {
            inflateCopy($0, other.stream)
        }
    }

    private static func makeStream(
        at offset: Int, isChecked: Bool, _ initialize: (UnsafeMutablePointer<z_stream>) -> CInt
    ) throws(DecodingFault) -> UnsafeMutablePointer<z_stream> {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard initialize(stream) == Z_OK else {
            stream.deallocate()
            throw outOfMemory(at: offset)
        }
        inflateValidate(stream, isChecked ? 1 : 0)
        return stream
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    var offset: Int { chunks.offset }

    /// Inflates into the buffer; fills it unless a damaged file ends early.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(DecodingFault) -> Int {
        let count = try fill(buffer)
        if count < buffer.count { try report(end) }
        return count
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
        var count = 0
        while count < buffer.count, end == nil {
            count += try inflateNext(into: .init(rebasing: buffer[count...]))
        }
        return count
    }

    /// Inflates up to the end of the room, of the buffered input or of a block.
    private func inflateNext(
        into room: UnsafeMutableBufferPointer<UInt8>
    ) throws(DecodingFault) -> Int {
        let stream = stream
        let available = uInt(clamping: room.count)
        (stream.pointee.next_out, stream.pointee.avail_out) = (room.baseAddress, available)
        var (status, hasInput) = (Z_OK, false)
        try chunks.withBytes { bytes in
            hasInput = !bytes.isEmpty
            // zlib does not write to its input.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            stream.pointee.avail_in = uInt(bytes.count)
            status = inflate(stream, Z_BLOCK)
            return bytes.count - Int(stream.pointee.avail_in)
        }
        let count = Int(available - stream.pointee.avail_out)
        if count > 0 { isBlockEmpty = false }
        switch status {
        case Z_OK, Z_BUF_ERROR:
            // Bit 7 of `data_type` is set at the end of a block (`zlib.h`, inflate).
            if stream.pointee.data_type & 128 != 0 {
                endBlock()
            } else if !hasInput, count == 0 {
                end = .shortage
            }
        case Z_STREAM_END: end = .complete
        case Z_NEED_DICT: end = .invalid("preset dictionary")
        case Z_MEM_ERROR: throw Self.outOfMemory(at: offset)
        default: end = .invalid(stream.pointee.msg.map { String(cString: $0) } ?? "error \(status)")
        }
        return count
    }

    private func endBlock() {
        emptyBlocks = isBlockEmpty ? emptyBlocks + 1 : 0
        isBlockEmpty = true
        if emptyBlocks > Self.maxEmptyBlocks { end = .emptyBlocks }
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
