/// Buffer for coded bytes on their way to a decoder; it grows to the longest piece.
final class CodedStaging {
    private let scratch: ScratchSpace
    private var memory: FrameMemory?

    init(scratch: ScratchSpace) {
        self.scratch = scratch
    }

    /// Reads `count` bytes, valid until the next call.
    ///
    /// At least as many must remain.
    func read(
        _ count: Int, of bytes: inout ExtentReader
    ) throws(DecodingFault) -> UnsafeRawBufferPointer {
        if memory.map({ $0.bytes.count < count }) ?? true {
            memory = nil
            memory = try FrameMemory(
                bytes: max(count, 4096), heapLimit: FrameMemory.codedOnHeap, scratch: scratch)
        }
        guard let memory else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let piece = UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<count])
        let read = try bytes.read(into: piece)
        guard read == count else {
            throw DecodingFault(.truncated, at: bytes.offset, "the file was shortened")
        }
        return UnsafeRawBufferPointer(piece)
    }
}
