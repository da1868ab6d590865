internal import CZlib

/// Output of the converted file that the reader has not yet received.
final class PendingBytes {
    /// Limit in bytes: a block of image data and its framing.
    static let capacity = StoredImageData.blockBytes + 64

    // Owned by this object and never exposed beyond a call. Bytes up to `end` are written.
    private let bytes: UnsafeMutablePointer<UInt8>
    private var start = 0
    private var end = 0
    private var chunk = 0

    init() { bytes = .allocate(capacity: Self.capacity) }

    deinit { bytes.deallocate() }

    var isEmpty: Bool { start == end }

    func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, end - start)
        buffer.copyMemory(from: UnsafeRawBufferPointer(start: bytes + start, count: count))
        start += count
        if isEmpty { (start, end) = (0, 0) }
        return count
    }

    /// Appends bytes; the total must stay within `capacity`.
    func append(_ source: UnsafePointer<UInt8>, count: Int) {
        precondition(count <= Self.capacity - end, "the pending bytes exceed the capacity")
        (bytes + end).update(from: source, count: count)
        end += count
    }

    func append(_ source: [UInt8]) {
        source.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { append(base, count: source.count) }
        }
    }

    /// Appends a 32-bit big-endian number (PNG specification, 7.1; RFC 1950, 2.2).
    func append(_ number: uLong) {
        append([UInt8](Int(number), bytes: 4, bigEndian: true))
    }

    func beginChunk(_ type: FourCC, length: Int) {
        append(uLong(length))
        chunk = end
        append(type.bytes)
    }

    /// Ends the chunk with its checksum (5.5); all of the chunk must still be pending.
    func endChunk() {
        append(crc32(0, bytes + chunk, uInt(end - chunk)))
    }
}
