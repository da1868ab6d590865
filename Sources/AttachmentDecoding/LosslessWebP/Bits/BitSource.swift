/// The bits of a stretch of a file, held a few kilobytes at a time.
///
/// Behind the stretch stand zeros; that they were read shows in `isExhausted`, and reading far into
/// them is a fault.
final class BitSource {
    /// What is held at once by default, in bytes: that of a `FileWindow`.
    static let defaultCapacity = 16 << 10

    private var window: FileWindow
    /// Room for `capacity` bytes and the zeros behind the last of them, owned from the making of
    /// this object to its end; every cursor points into it.
    private let buffer: UnsafeMutablePointer<UInt8>
    private static let padding = 2 * BitCursor.stepBytes
    /// How far zeros may be read before it is certain that bits of the stretch are missing: a
    /// cursor holds less than 8 bytes that are not consumed.
    private static let leeway = 8
    private let descriptor: CInt
    private let range: Range<Int>
    private let capacity: Int
    /// How much of the buffer is filled.
    private var filled = 0
    /// Where the buffer begins in the file.
    private var start: Int
    private var isLast = false
    /// Where reading goes on.
    var cursor: BitCursor

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - range: The stretch, in bytes from the start of the file.
    ///   - capacity: What is held at once, in bytes, at least 64; as much again is in the window
    ///     over the file. The default is 16 KiB.
    init(descriptor: CInt, over range: Range<Int>, capacity: Int = defaultCapacity) {
        (self.descriptor, self.range, self.capacity) = (descriptor, range, capacity)
        window = FileWindow(descriptor: descriptor, over: range, capacity: capacity)
        buffer = .allocate(capacity: capacity + Self.padding)
        start = range.lowerBound
        // A limit in front of the first byte makes the first step fill the buffer.
        cursor = BitCursor(next: UnsafePointer(buffer), limit: UnsafePointer(buffer) - 1)
    }

    deinit { buffer.deallocate() }

    /// Where the next bits stand in the file, in bits from its start.
    var bitOffset: Int { start * 8 + place(of: cursor) }

    /// Another source over the same stretch.
    ///
    /// - Parameter capacity: What it holds at once, in bytes.
    /// - Returns: The source, at the start of the stretch.
    func again(capacity: Int) -> BitSource {
        BitSource(descriptor: descriptor, over: range, capacity: capacity)
    }

    /// Goes on at another place.
    ///
    /// - Parameter bit: In bits from the start of the file; inside the stretch.
    /// - Throws: `truncated`, `unreadable`.
    func seek(toBit bit: Int) throws(DecodingFault) {
        start = bit / 8
        window.seek(to: start)
        (filled, isLast) = (0, false)
        cursor = BitCursor(next: UnsafePointer(buffer), limit: UnsafePointer(buffer) - 1)
        _ = try read(bit % 8)
    }

    /// Whether bits were consumed that the stretch does not have.
    var isExhausted: Bool { isLast && place(of: cursor) > filled * 8 }

    /// In bits from the start of the buffer.
    private func place(of cursor: BitCursor) -> Int {
        (cursor.next - UnsafePointer(buffer)) * 8 - cursor.count
    }

    /// Fills the buffer from the file, and keeps what is not consumed.
    ///
    /// - Parameter cursor: Where reading goes on; its `needsMore` is true.
    /// - Returns: The same place, from which a step may be made.
    /// - Throws: `truncated` when the stretch has ended before; `unreadable`.
    @inline(never)
    func topUp(_ cursor: BitCursor) throws(DecodingFault) -> BitCursor {
        guard !isLast else { throw ending }
        // A step passes the limit by less than `stepBytes`, so that these bytes are filled.
        let consumed = cursor.next - UnsafePointer(buffer)
        let kept = filled - consumed
        buffer.update(from: buffer + consumed, count: kept)
        start += consumed
        filled = kept
        while filled < capacity, !isLast {
            let room = capacity - filled
            let end = buffer + filled
            var taken = 0
            try window.withBytes { (bytes) throws(DecodingFault) in
                taken = min(bytes.count, room)
                if let first = bytes.baseAddress { end.update(from: first, count: taken) }
                return taken
            }
            filled += taken
            isLast = taken == 0
        }
        if isLast { (buffer + filled).update(repeating: 0, count: Self.padding) }
        var moved = cursor
        moved.next = UnsafePointer(buffer)
        moved.limit =
            UnsafePointer(buffer) + filled + (isLast ? Self.leeway : -BitCursor.stepBytes)
        return moved
    }

    /// Reads a number.
    ///
    /// - Parameter length: Its bits, 0 to 32.
    /// - Returns: The number.
    /// - Throws: `truncated`, `unreadable`.
    func read(_ length: Int) throws(DecodingFault) -> Int {
        if cursor.needsMore { cursor = try topUp(cursor) }
        cursor.refill()
        let value = cursor.take(length)
        guard !isExhausted else { throw ending }
        return value
    }

    /// Reads whether a bit is set.
    ///
    /// - Throws: `truncated`, `unreadable`.
    func readFlag() throws(DecodingFault) -> Bool { try read(1) == 1 }

    /// A fault where the next bits stand.
    func fault(_ code: DecodingFault.Code, _ reason: String) -> DecodingFault {
        fault(code, at: cursor, reason)
    }

    /// A fault where the next bits of a cursor stand; behind the end it is that they are missing.
    func fault(
        _ code: DecodingFault.Code, at cursor: BitCursor, _ reason: String
    ) -> DecodingFault {
        let place = place(of: cursor)
        return isLast && place > filled * 8
            ? ending : DecodingFault(code, at: start + place / 8, reason)
    }

    /// What is thrown when the stretch has no more bits.
    var ending: DecodingFault {
        DecodingFault(.truncated, at: start + filled, "its picture data end too early")
    }
}
