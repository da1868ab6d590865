/// The bits of the image data, lowest first (RFC 1951, 3.1.1).
struct BitInput: ~Copyable {
    /// Bytes that are held.
    static let capacity = 4 << 10
    /// Zeros behind the last byte: a cursor is at most seven bytes past it, two refills move it by as
    /// many each at the most, and read eight bytes.
    private static let padding = 24
    /// Bytes that two refills read at the most.
    private static let reach = 16

    /// What loops keep in registers while they read.
    struct Cursor {
        /// The next bits; above `count` of them, those that will come there.
        var word: UInt64 = 0
        /// How many bits there are, modulo 64.
        ///
        /// Loops subtract whole entries of tables, of which the six lowest bits matter.
        var count: UInt64 = 0
        /// The next byte to go into the word; moves with the buffer only, in `replenish`.
        var next: UnsafePointer<UInt8>
        /// Up to where two refills are within the bytes.
        var safe: UnsafePointer<UInt8>

        /// Makes sure of 56 bits; before the first of two, `next` must not be past `safe`.
        @inline(__always)
        mutating func refill() {
            let bytes = UnsafeRawPointer(next).loadUnaligned(as: UInt64.self).littleEndian
            word |= bytes &<< count
            next += Int(truncatingIfNeeded: ~count &>> 3 & 7)
            count |= 56
        }

        /// Takes bits off, at most as many as there are.
        ///
        /// - Parameter bits: How many, modulo 64.
        @inline(__always)
        mutating func skip(_ bits: UInt32) {
            word = word &>> UInt64(bits)
            count &-= UInt64(bits)
        }

        /// Whole bytes that are in the word.
        var wholeBytes: Int { Int(count & 63) / 8 }
    }

    var cursor: Cursor
    var chunks: ImageDataChunks
    // Allocated and given back with this value, behind a byte that only `safe` ever points at, when
    // no place is safe. The cursor points into it or into the padding, and
    // the whole bytes of its word stand in front of it there, from which they were read.
    private let buffer: UnsafeMutablePointer<UInt8>
    private var end: UnsafeMutablePointer<UInt8>
    private var isAtEnd = false

    /// Begins.
    ///
    /// - Parameter chunks: Where the bytes come from.
    init(_ chunks: consuming ImageDataChunks) {
        self.chunks = chunks
        buffer = .allocate(capacity: 1 + Self.capacity + Self.padding) + 1
        buffer.initialize(repeating: 0, count: Self.capacity + Self.padding)
        end = buffer
        // Every refill begins with `replenish`.
        cursor = Cursor(next: UnsafePointer(buffer), safe: UnsafePointer(buffer) - 1)
    }

    /// Begins where another one stands.
    ///
    /// - Parameters:
    ///   - other: The other one.
    ///   - chunks: Stand where those of the other one do.
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

    /// Makes room for a refill where `next` is past `safe`, and tells when there are no more bits.
    ///
    /// Behind the last byte there are zeros, and every refill comes here first.
    ///
    /// - Parameter cursor: The place; its bytes move.
    /// - Returns: False when bits were taken that the image data do not have.
    /// - Throws: Damage, in a file that must not have any; `unreadable`.
    @inline(never)
    mutating func replenish(_ cursor: inout Cursor) throws(DecodingFault) -> Bool {
        if !isAtEnd {
            // Whole bytes that are in the word stay, since stored blocks put them back.
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
        let place = buffer + count
        var got = 0
        try chunks.withBytes { bytes in
            got = min(bytes.count, Self.capacity - count)
            if let base = bytes.baseAddress { place.update(from: base, count: got) }
            return got
        }
        return got
    }

    /// Takes bits off.
    ///
    /// - Parameter count: At most 32.
    /// - Returns: They; nil when there are fewer.
    /// - Throws: Damage, in a file that must not have any; `unreadable`.
    mutating func read(_ count: Int) throws(DecodingFault) -> Int? {
        guard try prepare() else { return nil }
        let bits = cursor.word & (1 << UInt64(count) - 1)
        cursor.skip(UInt32(count))
        return try prepare() ? Int(bits) : nil
    }

    /// Makes sure of 56 bits, zeros among them where the image data end.
    ///
    /// - Returns: False when bits were taken that the image data do not have.
    /// - Throws: Damage, in a file that must not have any; `unreadable`.
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

    /// Goes on at the next whole byte (RFC 1951, 3.2.4).
    mutating func align() { cursor.skip(UInt32(cursor.count & 7)) }

    /// Takes whole bytes off, as many as are at hand.
    ///
    /// - Parameters:
    ///   - count: How many at most.
    ///   - destination: Where to.
    /// - Returns: How many; 0 at the end only.
    /// - Throws: Damage, in a file that must not have any; `unreadable`.
    mutating func readBytes(
        _ count: Int, into destination: UnsafeMutablePointer<UInt8>
    ) throws(DecodingFault) -> Int {
        // Bytes that are in the word go back: it was filled from where they stand.
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
