/// Decoders call back through C, which cannot throw; errors are kept in `fault`.
class FrameAllocator {
    let frame: CodedFrame
    private let scratch: ScratchSpace
    private(set) var fault: DecodingFault?

    init(for frame: CodedFrame, scratch: ScratchSpace) {
        self.frame = frame
        self.scratch = scratch
    }

    final func attempt(_ callback: () throws(DecodingFault) -> Void) -> Bool {
        do throws(DecodingFault) {
            try callback()
            return true
        } catch {
            fault = error
            return false
        }
    }

    /// Memory for planes, with a reference for the decoder, which `release` takes back.
    final func makePlanes(
        bytes: Int
    ) throws(DecodingFault) -> (start: UnsafeMutableRawPointer, owner: UnsafeMutableRawPointer) {
        let memory = try FrameMemory(
            bytes: bytes, heapLimit: FrameMemory.planesOnHeap, scratch: scratch)
        guard let start = memory.bytes.baseAddress else { throw noMemory }
        return (start, Unmanaged.passRetained(memory).toOpaque())
    }

    static func release(_ owner: UnsafeMutableRawPointer) {
        Unmanaged<FrameMemory>.fromOpaque(owner).release()
    }

    /// May outlive the decoder.
    final func memory(of owner: UnsafeMutableRawPointer?) throws(DecodingFault) -> FrameMemory {
        guard let owner else { throw noMemory }
        return Unmanaged<FrameMemory>.fromOpaque(owner).takeUnretainedValue()
    }

    private var noMemory: DecodingFault { frame.fault(.corrupt, "its frame has no memory") }
}
