/// The coded picture of a lossy WebP file, read piece by piece, as a simple file without anything
/// else (RFC 9649, section 2.5).
///
/// libwebp's incremental decoder wants to see all bytes from the first on, since a picture may have
/// up to eight partitions that take turns. They lie in a scratch file when they are many: given
/// piece by piece, they would be kept by the decoder on the heap.
final class CodedLossyPicture {
    /// What is read at a time, in bytes, so that a row comes soon after its bytes: 3 ms at most in
    /// photographs.
    ///
    /// Macroblocks that are skipped have no bytes of their own, so that a flat picture comes at once
    /// (82 megapixels in 0.4 s).
    private static let step = 4 << 10
    /// What is taken from the heap at most, in bytes.
    static let heapLimit = 64 << 10
    /// What stands in front of the picture: the headers of the file and of the chunk.
    private static let headerBytes = 20

    private var window: FileWindow
    private let memory: FrameMemory
    private var count = headerBytes

    /// Makes room for a picture, and its header.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - picture: The data of its chunk, in bytes from the start of the file.
    ///   - scratch: Where it lies when it is long.
    /// - Throws: `overCeiling`, `scratch`.
    init(
        descriptor: CInt, over picture: Range<Int>, scratch: ScratchSpace
    ) throws(DecodingFault) {
        // libwebp refuses lengths of chunks from here on (its MAX_CHUNK_PAYLOAD).
        guard picture.count < Int(UInt32.max) - 64 else {
            throw DecodingFault(.overCeiling, at: picture.lowerBound, "its picture is too long")
        }
        window = FileWindow(descriptor: descriptor, over: picture)
        memory = try FrameMemory(
            bytes: Self.headerBytes + picture.count, heapLimit: Self.heapLimit, scratch: scratch)
        let length = picture.count
        let fileLength = length + length & 1 + Self.headerBytes - 8
        memory.bytes.copyBytes(
            from: Array("RIFF".utf8) + Self.bytes(fileLength) + Array("WEBPVP8 ".utf8)
                + Self.bytes(length))
    }

    /// A number of four bytes with its lowest byte first.
    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// What was read, behind the header; until `self` goes.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory.bytes[..<count])
    }

    /// Where reading goes on, in bytes from the start of the file.
    var offset: Int { window.offset }

    /// Reads more.
    ///
    /// - Returns: Whether there was more.
    /// - Throws: `unreadable`.
    func readMore() throws(DecodingFault) -> Bool {
        let before = count
        let room = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[before...])
        try window.withBytes { (bytes) throws(DecodingFault) in
            let taken = min(bytes.count, Self.step, room.count)
            room.copyBytes(from: bytes.prefix(taken))
            count += taken
            return taken
        }
        memory.mapping?.startWritingOut(after: count - before)
        return count > before
    }
}
