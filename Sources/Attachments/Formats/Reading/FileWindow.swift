package import AttachmentModel

/// Buffered forward reader for a range of an open file, with seeking.
///
/// Windows over one file are independent, because they use `pread`. The file is read, not
/// mapped: a file that is shortened meanwhile causes a fault, not a signal.
package struct FileWindow: ~Copyable {
    /// Default capacity, in bytes, which makes system calls cheap compared with decoding.
    package static let defaultCapacity = 16 << 10

    private let file: OpenFile
    private let capacity: Int
    // Owned by this value and never passed out beyond a call.
    private let buffer: UnsafeMutablePointer<UInt8>
    private var start: Int
    private var next = 0
    private var count = 0
    /// End of the range, in bytes from the start of the file.
    private let end: Int

    /// Opens a window on `range`, by default the whole file; `capacity` is at least 1.
    package init(_ file: OpenFile, over range: Range<Int>? = nil, capacity: Int = defaultCapacity) {
        self.file = file
        self.capacity = capacity
        buffer = .allocate(capacity: capacity)
        start = range?.lowerBound ?? 0
        end = range?.upperBound ?? file.length
    }

    deinit { buffer.deallocate() }

    /// Position of the next byte, in bytes from the start of the file.
    package var offset: Int { start + next }

    /// Reads a byte; nil at the end of the range or of the file.
    @inline(__always)
    package mutating func readByte() throws(DecodingFault) -> UInt8? {
        if next == count {
            guard try refill() else { return nil }
        }
        defer { next &+= 1 }
        return buffer[next]
    }

    /// Passes the buffered bytes, none at the end, to `body`, which returns the number consumed.
    @inline(__always)
    package mutating func withBytes(
        _ body: (UnsafeBufferPointer<UInt8>) throws(DecodingFault) -> Int
    ) throws(DecodingFault) {
        if next == count { _ = try refill() }
        let taken = try body(UnsafeBufferPointer(start: buffer + next, count: count - next))
        precondition(taken >= 0 && taken <= count - next, "more bytes were consumed than available")
        next += taken
    }

    /// Moves to an offset from the start of the file; beyond the range, nothing can be read.
    package mutating func seek(to offset: Int) {
        if offset >= start, offset <= start + count {
            next = offset - start
        } else {
            (start, next, count) = (offset, 0, 0)
        }
    }

    private mutating func refill() throws(DecodingFault) -> Bool {
        start += count
        (next, count) = (0, 0)
        let wanted = min(capacity, end - start)
        guard wanted > 0 else { return false }
        do throws(OpenFile.ReadFailure) {
            count = try file.read(into: .init(start: buffer, count: wanted), at: start)
        } catch {
            throw DecodingFault(.unreadable, at: start, error.reason)
        }
        return count > 0
    }
}

extension FileWindow {
    /// Reads an unsigned integer of 1 to 8 bytes; nil if the file ends first.
    mutating func readInteger(
        bytes count: Int, isBigEndian: Bool = true
    ) throws(DecodingFault) -> UInt64? {
        var value: UInt64 = 0
        for _ in 0..<count {
            guard let byte = try readByte() else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return isBigEndian ? value : value.byteSwapped >> UInt64(64 - 8 * count)
    }

    mutating func readUInt16() throws(DecodingFault) -> UInt16? {
        try readInteger(bytes: 2).map { UInt16($0) }
    }

    mutating func readUInt32() throws(DecodingFault) -> UInt32? {
        try readInteger(bytes: 4).map { UInt32($0) }
    }

    /// Reads up to `count` bytes; fewer at the end of the range or of the file.
    mutating func readBytes(_ count: Int) throws(DecodingFault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        try append(count, to: &bytes)
        return bytes
    }

    /// Appends up to `count` bytes; fewer at the end of the range or of the file.
    mutating func append(_ count: Int, to bytes: inout [UInt8]) throws(DecodingFault) {
        let wanted = bytes.count + count
        var isAtEnd = false
        while bytes.count < wanted, !isAtEnd {
            try withBytes { (held) throws(DecodingFault) in
                let part = held.prefix(wanted - bytes.count)
                bytes.append(contentsOf: part)
                isAtEnd = part.isEmpty
                return part.count
            }
        }
    }

    /// Copies up to `count` bytes and returns their number: 0 at the end, or if `buffer` is empty.
    mutating func copy(
        into buffer: UnsafeMutableRawBufferPointer, atMost count: Int
    ) throws(DecodingFault) -> Int {
        var copied = 0
        try withBytes { (held) throws(DecodingFault) in
            copied = min(held.count, buffer.count, count)
            let bytes = UnsafeBufferPointer(rebasing: held[..<copied])
            buffer.copyMemory(from: UnsafeRawBufferPointer(bytes))
            return copied
        }
        return copied
    }

    /// Number of buffered bytes before the next `value`; 0 at the end.
    mutating func countBefore(_ value: UInt8) throws(DecodingFault) -> Int {
        var count = 0
        try withBytes { (held) throws(DecodingFault) in
            count = held.firstIndex(of: value) ?? held.count
            return 0
        }
        return count
    }
}
