import AttachmentModel

/// Coded image of a lossy WebP file, presented as a simple file (RFC 9649, section 2.5).
///
/// libwebp's incremental decoder needs all bytes from the start, and would keep pieces on the heap.
final class CodedLossyPicture {
    /// A row then follows soon after its bytes: 3 ms at most in photographs.
    private static let step = 4 << 10
    static let heapLimit = 64 << 10
    private static let headerBytes = 20

    private var window: FileWindow
    private let memory: FrameMemory
    private var count = headerBytes

    init(_ file: OpenFile, over picture: Range<Int>, scratch: ScratchSpace) throws(DecodingFault) {
        // libwebp refuses longer chunks (`MAX_CHUNK_PAYLOAD`).
        guard picture.count < Int(UInt32.max) - 64 else {
            throw DecodingFault(.limit, at: picture.lowerBound, "its image is too long")
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

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory.bytes[..<count])
    }

    var offset: Int { window.offset }

    func readMore() throws(DecodingFault) -> Bool {
        let room = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[count...])
        let taken = try window.copy(into: room, atMost: Self.step)
        count += taken
        memory.mapping?.startWritingOut(after: taken)
        return taken > 0
    }
}
