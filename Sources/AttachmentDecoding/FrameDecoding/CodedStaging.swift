/// Where coded bytes lie on their way to a decoder: in one piece, which grows with the longest.
final class CodedStaging {
    private let scratch: ScratchSpace
    private var memory: FrameMemory?

    /// Makes a place; nothing is taken yet.
    ///
    /// - Parameter scratch: Where long pieces lie.
    init(scratch: ScratchSpace) {
        self.scratch = scratch
    }

    /// Reads a piece.
    ///
    /// - Parameters:
    ///   - count: Its length in bytes, at most what is left.
    ///   - bytes: What is read.
    /// - Returns: The piece, which stays until the next call or the end of `self`.
    /// - Throws: `DecodingFault`.
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
