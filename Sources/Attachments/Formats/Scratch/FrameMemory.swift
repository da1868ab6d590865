/// Memory for planes or coded bytes: on the heap if small, otherwise in a scratch file.
package final class FrameMemory {
    /// Zeroed at first, 64-byte aligned for vector instructions, valid as long as `self`.
    package let bytes: UnsafeMutableRawBufferPointer

    package let mapping: ScratchMapping?

    /// Heap limit for planes, in bytes: a thumbnail.
    package static let planesOnHeap = 64 << 10
    /// Heap limit for coded bytes, in bytes: a tile, one at a time.
    static let codedOnHeap = 256 << 10
    /// Heap limit for strips and tiles of a TIFF and their compressed bytes: usual strips have 8 to
    /// 64 KB, and from 128 KB on, decoding takes longer than page faults.
    static let unitsOnHeap = 128 << 10

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

    var file: MappedFile? { mapping?.file }

    deinit {
        if mapping == nil { bytes.deallocate() }
    }
}
