internal import CZlib

/// Bytes of the simpler file that were made and not yet read.
final class PendingBytes {
    /// The most that is pending, in bytes: a block of image data and what stands around it.
    static let capacity = StoredImageData.blockBytes + 64

    // Allocated with the object and given back with it; never handed out beyond a call. Bytes up to
    // `end` were written.
    private let bytes: UnsafeMutablePointer<UInt8>
    private var start = 0
    private var end = 0
    /// Where the type of the open chunk stands.
    private var chunk = 0

    init() { bytes = .allocate(capacity: Self.capacity) }

    deinit { bytes.deallocate() }

    var isEmpty: Bool { start == end }

    /// Hands over as much as there is room for.
    ///
    /// - Parameter buffer: Where to.
    /// - Returns: How many bytes were written.
    func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, end - start)
        buffer.copyMemory(from: UnsafeRawBufferPointer(start: bytes + start, count: count))
        start += count
        if isEmpty { (start, end) = (0, 0) }
        return count
    }

    /// Appends bytes.
    ///
    /// - Parameters:
    ///   - source: The first of them.
    ///   - count: How many; together with what is pending at most `capacity`.
    func append(_ source: UnsafePointer<UInt8>, count: Int) {
        precondition(count <= Self.capacity - end, "more is pending than there is room for")
        (bytes + end).update(from: source, count: count)
        end += count
    }

    /// Appends bytes.
    ///
    /// - Parameter source: Few of them.
    func append(_ source: [UInt8]) {
        source.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { append(base, count: source.count) }
        }
    }

    /// Appends a big-endian number (PNG specification, 7.1; RFC 1950, 2.2).
    ///
    /// - Parameter number: At most 32 bits.
    func append(_ number: uLong) {
        append(stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) })
    }

    /// Begins a chunk (5.3).
    ///
    /// - Parameters:
    ///   - type: Its type.
    ///   - length: Bytes of its data.
    func beginChunk(_ type: PNGChunkType, length: Int) {
        append(uLong(length))
        chunk = end
        append(type.bytes)
    }

    /// Ends the chunk, all of which is pending, with its checksum (5.5).
    func endChunk() {
        append(crc32(0, bytes + chunk, uInt(end - chunk)))
    }
}
