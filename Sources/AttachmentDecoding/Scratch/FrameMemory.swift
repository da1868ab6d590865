/// Memory for the planes of a frame, or for its coded bytes: on the heap when it is little, else in
/// a scratch file.
package final class FrameMemory {
    /// The bytes, aligned to at least 64, which is what vector instructions of decoders ask for.
    ///
    /// They read as zeros at first and stay until `self` goes.
    package let bytes: UnsafeMutableRawBufferPointer

    /// What the bytes lie in; nil when they are on the heap.
    package let mapping: ScratchMapping?

    /// What is taken from the heap for planes at most, in bytes: a thumbnail's.
    package static let planesOnHeap = 64 << 10
    /// What is taken from the heap for coded bytes at most, in bytes: a tile's, of which there is
    /// one at a time.
    static let codedOnHeap = 256 << 10

    /// Takes memory.
    ///
    /// - Parameters:
    ///   - count: In bytes.
    ///   - heapLimit: Up to where it is taken from the heap, in bytes.
    ///   - scratch: Where files are made; nil for the heap, however much it is.
    /// - Throws: `DecodingFault` with code `overCeiling` or `scratch`.
    package init(bytes count: Int, heapLimit: Int, scratch: ScratchSpace?) throws(DecodingFault) {
        if let scratch, count > heapLimit {
            let mapping = try scratch.makeMapping(bytes: count)
            bytes = mapping.file.bytes
            self.mapping = mapping
        } else {
            bytes = .allocate(byteCount: max(count, 1), alignment: 64)
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            mapping = nil
        }
    }

    /// The scratch file; nil when the bytes are on the heap.
    var file: MappedFile? { mapping?.file }

    deinit {
        if mapping == nil { bytes.deallocate() }
    }
}
