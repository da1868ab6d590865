internal import CZlib

/// Inflates the image data from a place of which the state was kept.
final class ImageDataInflater {
    /// Whether nothing more comes: the stream ended, or broke off in a file that may be damaged.
    private(set) var hasEnded = false
    private var chunks: ImageDataChunks
    private let file: File
    // zlib's state points back at it, so it stays where it is: allocated with this object,
    // initialised by one of the two initialisers or never seen, and given back with the object.
    private let stream: UnsafeMutablePointer<z_stream>

    /// The file that is read.
    struct File {
        let descriptor: CInt
        /// In bytes.
        let length: Int
        let isTolerant: Bool
    }

    /// Begins with the first byte of the image data.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - offset: Where the data of the first IDAT chunk begin, in bytes from its start.
    ///   - length: How many they are.
    /// - Throws: `overCeiling` where there is no memory.
    init(_ file: File, at offset: Int, chunkLength length: Int) throws(DecodingFault) {
        self.file = file
        chunks = ImageDataChunks(
            descriptor: file.descriptor, length: file.length,
            at: .init(
                offset: offset, remaining: length, checksum: ChunkChecksum.of(.imageData)),
            strictness: file.isTolerant ? .unchecked : .checked)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // The largest window, whatever the stream says: some encoders name a smaller one than they
        // use, and zlib believes its caller.
        let status = inflateInit2_(
            stream, 15, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            throw DecodingFault(.overCeiling, at: offset, "there is no memory to inflate it")
        }
        if file.isTolerant { inflateValidate(stream, 0) }
    }

    /// Begins where another one stands, which goes on by itself.
    ///
    /// The copy looks at no checksum: the original does, as it reads on.
    ///
    /// - Parameter other: The other one.
    /// - Throws: `overCeiling` where there is no memory.
    init(copying other: ImageDataInflater) throws(DecodingFault) {
        file = other.file
        chunks = ImageDataChunks(
            descriptor: file.descriptor, length: file.length, at: other.chunks.position,
            strictness: .unchecked)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateCopy(stream, other.stream) == Z_OK else {
            throw DecodingFault(.overCeiling, at: other.offset, "there is no memory to inflate it")
        }
        inflateValidate(stream, 0)
    }

    deinit {
        // Does nothing but return an error where initialising failed.
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Where the next compressed byte stands in the file, in bytes from its start.
    var offset: Int { chunks.offset }

    /// Inflates.
    ///
    /// - Parameter buffer: Room for what comes; at most 2 GB.
    /// - Returns: How many bytes came; fewer than there is room for where a damaged file ends.
    /// - Throws: Damage, in a file that must not have any; `unreadable`.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(DecodingFault) -> Int {
        let count = try readUpToEnd(into: buffer)
        if count < buffer.count { try fail(.corrupt, "its image data end too soon") }
        return count
    }

    private func readUpToEnd(
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(DecodingFault) -> Int {
        stream.pointee.next_out = buffer.baseAddress
        stream.pointee.avail_out = uInt(clamping: buffer.count)
        while stream.pointee.avail_out > 0, !hasEnded { try step() }
        return buffer.count - Int(stream.pointee.avail_out)
    }

    /// Reads what follows the last row: the end of the stream with its checksum.
    ///
    /// Bytes of further rows are passed over, as libpng does.
    ///
    /// - Throws: Damage, in a file that must not have any; `unreadable`.
    func finish() throws(DecodingFault) {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) {
            (surplus) throws(DecodingFault) in
            _ = try readUpToEnd(into: surplus)
        }
        hasEnded = true
    }

    /// Passes over some of the image data that follow the stream.
    ///
    /// - Returns: Where the chunk behind the image data begins, in bytes from the start of the
    ///   file, or where the file ends; nil before that.
    /// - Throws: Damage, in a file that must not have any; `unreadable`.
    func skipRest() throws(DecodingFault) -> Int? {
        try chunks.withBytes(\.count)
        return chunks.end == nil ? nil : chunks.offset
    }

    /// One call of zlib with the input at hand.
    private func step() throws(DecodingFault) {
        let (stream, room) = (stream, stream.pointee.avail_out)
        var status = Z_OK
        try chunks.withBytes { bytes in
            // zlib does not write to what it reads; its type only says so when it was built to.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            stream.pointee.avail_in = uInt(bytes.count)
            status = inflate(stream, Z_NO_FLUSH)
            return bytes.count - Int(stream.pointee.avail_in)
        }
        switch status {
        case Z_OK, Z_BUF_ERROR:
            guard let end = chunks.end, stream.pointee.avail_out == room else { return }
            switch end {
            case .ofFile: try fail(.truncated, "the file ends within its image data")
            case .ofImageData: try fail(.corrupt, "its image data end too soon")
            }
        case Z_STREAM_END:
            hasEnded = true
        case Z_MEM_ERROR:
            throw DecodingFault(.overCeiling, at: offset, "there is no memory to inflate it")
        default:
            let reason = stream.pointee.msg.map { String(cString: $0) } ?? "a preset dictionary"
            try fail(.corrupt, "its image data are damaged: \(reason)")
        }
    }

    private func fail(_ code: DecodingFault.Code, _ reason: String) throws(DecodingFault) {
        guard file.isTolerant else { throw DecodingFault(code, at: offset, reason) }
        hasEnded = true
    }
}
