import AttachmentModel

/// Bits of a byte range of a file, followed by zeros; reading far into them throws.
final class BitSource {
    static let defaultCapacity = 16 << 10

    private var window: FileWindow
    /// Owned, with zero padding; every cursor points into it.
    private let buffer: UnsafeMutablePointer<UInt8>
    private static let padding = 2 * BitCursor.stepBytes
    /// Zeros that a cursor may load before data are certain to be missing.
    private static let slack = 8
    private let file: OpenFile
    private let range: Range<Int>
    private let capacity: Int
    private var filled = 0
    private var start: Int
    private var isLast = false
    var cursor: BitCursor

    /// Creates a source with a buffer of at least 64 bytes; the file window holds as much again.
    init(_ file: OpenFile, over range: Range<Int>, capacity: Int = defaultCapacity) {
        (self.file, self.range, self.capacity) = (file, range, capacity)
        window = FileWindow(file, over: range, capacity: capacity)
        buffer = .allocate(capacity: capacity + Self.padding)
        start = range.lowerBound
        // Forces the first step to fill the buffer.
        cursor = BitCursor(next: UnsafePointer(buffer), limit: UnsafePointer(buffer) - 1)
    }

    deinit { buffer.deallocate() }

    var bitOffset: Int { start * 8 + position(of: cursor) }

    func restarted(capacity: Int) -> BitSource {
        BitSource(file, over: range, capacity: capacity)
    }

    func seek(toBit bit: Int) throws(DecodingFault) {
        start = bit / 8
        window.seek(to: start)
        (filled, isLast) = (0, false)
        cursor = BitCursor(next: UnsafePointer(buffer), limit: UnsafePointer(buffer) - 1)
        _ = try read(bit % 8)
    }

    /// True if more bits were consumed than the range contains.
    var isExhausted: Bool { isLast && position(of: cursor) > filled * 8 }

    private func position(of cursor: BitCursor) -> Int {
        (cursor.next - UnsafePointer(buffer)) * 8 - cursor.count
    }

    /// Keeps unconsumed bytes, and returns the same position in the buffer.
    @inline(never)
    func topUp(_ cursor: BitCursor) throws(DecodingFault) -> BitCursor {
        guard !isLast else { throw endFault }
        // A step passes the limit by less than `stepBytes`, so these bytes are valid.
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
        moved.limit = UnsafePointer(buffer) + filled + (isLast ? Self.slack : -BitCursor.stepBytes)
        return moved
    }

    func read(_ length: Int) throws(DecodingFault) -> Int {
        if cursor.needsMore { cursor = try topUp(cursor) }
        cursor.refill()
        let value = cursor.take(length)
        guard !isExhausted else { throw endFault }
        return value
    }

    func readFlag() throws(DecodingFault) -> Bool { try read(1) == 1 }

    func fault(_ code: DecodingFault.Code, _ reason: String) -> DecodingFault {
        fault(code, at: cursor, reason)
    }

    /// Fault at a cursor's next bit; past the end, the fault is missing data.
    func fault(
        _ code: DecodingFault.Code, at cursor: BitCursor, _ reason: String
    ) -> DecodingFault {
        let position = position(of: cursor)
        return isLast && position > filled * 8
            ? endFault : DecodingFault(code, at: start + position / 8, reason)
    }

    var endFault: DecodingFault {
        DecodingFault(.truncated, at: start + filled, "its image data end too early")
    }
}
