import AttachmentModel

/// Coded image of a lossy WebP file, read in pieces and presented as a simple file (RFC 9649,
/// section 2.5).
///
/// libwebp's incremental decoder needs all bytes from the start, because up to eight partitions
/// alternate. Fed in pieces, it would keep them on the heap; here a long image uses a scratch file.
final class CodedLossyPicture {
    /// Bytes read at a time, so that a row follows soon after its bytes: 3 ms at most in
    /// photographs.
    ///
    /// Skipped macroblocks have no bytes of their own, so a flat image decodes at once (82
    /// megapixels in 0.4 s).
    private static let step = 4 << 10
    /// Limit on heap use in bytes; larger data go to scratch.
    static let heapLimit = 64 << 10
    /// Bytes of the file and chunk headers before the image.
    private static let headerBytes = 20

    private var window: FileWindow
    private let memory: FrameMemory
    private var count = headerBytes

    /// Allocates room for the image and writes its header.
    init(
        _ file: OpenFile, over picture: Range<Int>, scratch: ScratchSpace
    ) throws(DecodingFault) {
        // libwebp refuses longer chunks (`MAX_CHUNK_PAYLOAD`).
        guard picture.count < Int(UInt32.max) - 64 else {
            throw DecodingFault(.overCeiling, at: picture.lowerBound, "its image is too long")
        }
        window = FileWindow(file, over: picture)
        memory = try FrameMemory(
            bytes: Self.headerBytes + picture.count, heapLimit: Self.heapLimit, scratch: scratch)
        let length = picture.count
        let fileLength = length + length & 1 + Self.headerBytes - 8
        memory.bytes.copyBytes(
            from: Array("RIFF".utf8) + Self.bytes(fileLength) + Array("WEBPVP8 ".utf8)
                + Self.bytes(length))
    }

    /// Little-endian bytes of a 32-bit number.
    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Header and bytes read so far; valid during this object's lifetime.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory.bytes[..<count])
    }

    /// Offset of the next byte in the file.
    var offset: Int { window.offset }

    /// Reads another piece; false at the end.
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
