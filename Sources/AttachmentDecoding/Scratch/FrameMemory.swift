/// Memory for the planes of a frame: on the heap when it is little, else in a scratch file.
final class FrameMemory {
    /// What is taken from the heap at most, in bytes: a tile of 512 × 512 pixels (393 KB), the
    /// usual size in grids, is faster there than in a file of its own.
    static let heapLimit = 512 << 10

    /// The bytes, aligned to at least 64, which is what vector instructions of decoders ask for;
    /// they read as zeros at first and stay until `self` goes.
    let bytes: UnsafeMutableRawBufferPointer

    /// The scratch file; nil when the bytes are on the heap.
    let mapping: ScratchMapping?

    /// Takes memory.
    ///
    /// - Parameters:
    ///   - count: In bytes, at least 1.
    ///   - scratch: Where files are made.
    ///   - heapLimit: What is taken from the heap at most, in bytes.
    /// - Throws: `DecodingFault` with code `overCeiling` or `scratch`.
    init(
        bytes count: Int, scratch: ScratchSpace, heapLimit: Int = heapLimit
    ) throws(DecodingFault) {
        if count <= heapLimit {
            bytes = .allocate(byteCount: max(count, 1), alignment: 64)
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            mapping = nil
        } else {
            let mapping = try scratch.makeMapping(bytes: count)
            bytes = mapping.bytes
            self.mapping = mapping
        }
    }

    deinit {
        if mapping == nil { bytes.deallocate() }
    }
}
