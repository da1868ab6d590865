/// Bit reader for the image data, least significant bit first (RFC 1951, 3.1.1).
struct BitInput: ~Copyable {
    /// Buffer size in bytes.
    static let capacity = 4 << 10
    /// Zero bytes after the last byte.
    ///
    /// A cursor is at most 7 bytes past the end, two refills advance it by 7 bytes each, and the
    /// last one reads 8 bytes.
    private static let padding = 24
    /// Bytes read by two refills, at most.
    private static let reach = 16

    /// Reader state that loops keep in registers.
    struct Cursor {
        /// The next bits.
        ///
        /// Bits above `count` are look-ahead; the next refill ORs the same bits in again.
        var word: UInt64 = 0
        /// Number of valid bits, modulo 64.
        ///
        /// Loops subtract whole table entries, of which only the lowest six bits matter.
        var count: UInt64 = 0
        /// Next byte to load into the word.
        ///
        /// The buffer moves only in `replenish`.
        var next: UnsafePointer<UInt8>
        /// Last position from which two refills stay inside the buffered bytes.
        var safe: UnsafePointer<UInt8>

        /// Loads at least 56 bits.
        ///
        /// Before the first of two refills, `next` must not be past `safe`.
        @inline(__always)
        mutating func refill() {
            let bytes = UnsafeRawPointer(next).loadUnaligned(as: UInt64.self).littleEndian
            word |= bytes &<< count
            next += Int(truncatingIfNeeded: ~count &>> 3 & 7)
            count |= 56
        }

        /// Drops bits; at most as many as are loaded.
        @inline(__always)
        mutating func skip(_ bits: UInt32) {
            word = word &>> UInt64(bits)
            count &-= UInt64(bits)
        }

        var wholeBytes: Int { Int(count & 63) / 8 }
    }

    var cursor: Cursor
    var chunks: ImageDataChunks
    // Owned by this value. One extra byte precedes the buffer; `safe` points at it when no position
    // is safe. The cursor points into the buffer or its padding. The whole bytes still in the word
    // precede the cursor in the buffer.
    private let buffer: UnsafeMutablePointer<UInt8>
    private var end: UnsafeMutablePointer<UInt8>
    private var isAtEnd = false

    init(_ chunks: consuming ImageDataChunks) {
        self.chunks = chunks
        buffer = .allocate(capacity: 1 + Self.capacity + Self.padding) + 1
        buffer.initialize(repeating: 0, count: Self.capacity + Self.padding)
        end = buffer
        // Forces every refill to start with `replenish`.
        cursor = Cursor(next: UnsafePointer(buffer), safe: UnsafePointer(buffer) - 1)
    }

    /// Copies another reader's state; `chunks` must be at the same position.
    init(copying other: borrowing BitInput, chunks: consuming ImageDataChunks) {
        self.init(chunks)
        buffer.update(from: other.buffer, count: Self.capacity + Self.padding)
        end = buffer + (other.end - other.buffer)
        isAtEnd = other.isAtEnd
        cursor.word = other.cursor.word
        cursor.count = other.cursor.count
        cursor.next = UnsafePointer(buffer) + (other.cursor.next - UnsafePointer(other.buffer))
        cursor.safe = UnsafePointer(buffer) + (other.cursor.safe - UnsafePointer(other.buffer))
    }

    deinit { (buffer - 1).deallocate() }

    /// Refills the buffer when `next` is past `safe`.
    ///
    /// Returns false when more bits were consumed than the image data contain.
    ///
    /// Zeros follow the last byte, and every refill calls this first.
    @inline(never)
    mutating func replenish(_ cursor: inout Cursor) throws(DecodingFault) -> Bool {
        if !isAtEnd {
            // Whole bytes in the word stay in the buffer, because stored blocks put them back.
            let kept = cursor.wholeBytes
            var count = UnsafePointer(end) - cursor.next + kept
            buffer.update(from: cursor.next - kept, count: count)
            while count < kept + Self.reach, !isAtEnd {
                let got = try fill(from: count)
                count += got
                isAtEnd = got == 0
            }
            end = buffer + count
            cursor.next = UnsafePointer(buffer) + kept
            cursor.safe = isAtEnd ? UnsafePointer(buffer) - 1 : UnsafePointer(end) - Self.reach
            if isAtEnd { end.update(repeating: 0, count: Self.padding) }
        }
        return !isAtEnd || cursor.next - cursor.wholeBytes <= UnsafePointer(end)
    }

    private mutating func fill(from count: Int) throws(DecodingFault) -> Int {
        let destination = buffer + count
        var got = 0
        try chunks.withBytes { bytes in
            got = min(bytes.count, Self.capacity - count)
            if let base = bytes.baseAddress { destination.update(from: base, count: got) }
            return got
        }
        return got
    }

    /// Reads up to 32 bits; nil at the end of the data.
    mutating func read(_ count: Int) throws(DecodingFault) -> Int? {
        guard try prepare() else { return nil }
        let bits = cursor.word & (1 << UInt64(count) - 1)
        cursor.skip(UInt32(count))
        return try prepare() ? Int(bits) : nil
    }

    /// Loads at least 56 bits, zero-filled past the end.
    ///
    /// Returns false when more bits were consumed than the image data contain.
    mutating func prepare() throws(DecodingFault) -> Bool {
        if cursor.next > cursor.safe {
            var moved = cursor
            let isWithin = try replenish(&moved)
            cursor = moved
            guard isWithin else { return false }
        }
        cursor.refill()
        return true
    }

    /// Advances to the next byte boundary (RFC 1951, 3.2.4).
    mutating func align() { cursor.skip(UInt32(cursor.count & 7)) }

    /// Copies whole bytes, as many as are buffered; returns 0 only at the end.
    mutating func readBytes(
        _ count: Int, into destination: UnsafeMutablePointer<UInt8>
    ) throws(DecodingFault) -> Int {
        // Returns the word's whole bytes to the buffer, where they are still stored.
        cursor.next -= cursor.wholeBytes
        (cursor.word, cursor.count) = (0, 0)
        if cursor.next >= UnsafePointer(end) {
            var moved = cursor
            _ = try replenish(&moved)
            cursor = moved
        }
        let taken = min(count, max(0, UnsafePointer(end) - cursor.next))
        destination.update(from: cursor.next, count: taken)
        cursor.next += taken
        return taken
    }
}
