import Foundation

/// Reads forward through an open file by a buffer of its own, from any offset.
///
/// Several windows over one descriptor do not disturb each other: its offset never moves. The file
/// is read, not mapped, so that one that another process shortens is a fault and not a signal.
package struct FileWindow: ~Copyable {
    /// What windows hold by default, in bytes: a few pages, so that a system call in a few thousand
    /// bytes costs nothing beside decoding them.
    package static let defaultCapacity = 16 << 10

    private let descriptor: CInt
    private let capacity: Int
    // Owned by this value from its making to its end, and never handed out beyond a call.
    private let buffer: UnsafeMutablePointer<UInt8>
    /// Where the bytes of the buffer begin in the file.
    private var start: Int
    private var next = 0
    private var count = 0
    /// Where reading ends, in bytes from the start of the file.
    private let end: Int

    /// Opens a window.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - range: The bytes of the file to read, from the start of the file; nothing beyond them is
    ///     read.
    ///   - capacity: What the window holds, in bytes; at least 1. The default is 16 KiB.
    package init(
        descriptor: CInt, over range: Range<Int>, capacity: Int = defaultCapacity
    ) {
        self.descriptor = descriptor
        self.capacity = capacity
        buffer = .allocate(capacity: capacity)
        start = range.lowerBound
        end = range.upperBound
    }

    deinit { buffer.deallocate() }

    /// Where the next byte stands in the file, in bytes from its start.
    package var offset: Int { start + next }

    /// The next byte; nil at the end of the range or of the file.
    ///
    /// - Throws: `DecodingFault` with code `unreadable`.
    @inline(__always)
    package mutating func readByte() throws(DecodingFault) -> UInt8? {
        if next == count {
            guard try refill() else { return nil }
        }
        defer { next &+= 1 }
        return buffer[next]
    }

    /// Gives what the window holds, at least one byte, and moves on over what was taken of it.
    ///
    /// - Parameter body: Gets the bytes, none at the end of the range or of the file; returns how
    ///   many of them it took.
    /// - Throws: `DecodingFault` with code `unreadable`, and what `body` throws.
    @inline(__always)
    package mutating func withBytes(
        _ body: (UnsafeBufferPointer<UInt8>) throws(DecodingFault) -> Int
    ) throws(DecodingFault) {
        if next == count { _ = try refill() }
        let taken = try body(UnsafeBufferPointer(start: buffer + next, count: count - next))
        precondition(taken >= 0 && taken <= count - next, "more was taken than was given")
        next += taken
    }

    /// Goes on at another place.
    ///
    /// - Parameter offset: In bytes from the start of the file; past the range there is nothing.
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
        var got: Int
        repeat {
            got = pread(descriptor, buffer, wanted, off_t(start))
        } while got < 0 && errno == EINTR
        guard got >= 0 else {
            throw DecodingFault(.unreadable, at: start, String(cString: strerror(errno)))
        }
        count = got
        return got > 0
    }
}

extension FileWindow {
    /// Copies what comes next.
    ///
    /// - Parameters:
    ///   - buffer: Where to.
    ///   - count: How many bytes at most.
    /// - Returns: How many were copied; 0 at the end of the range or of the file, and where there is
    ///   no room.
    /// - Throws: `DecodingFault` with code `unreadable`.
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

    /// How many bytes of those that the window holds come before one of a value.
    ///
    /// - Parameter value: The byte.
    /// - Returns: The count; 0 where it is the next one, and at the end.
    /// - Throws: `DecodingFault` with code `unreadable`.
    mutating func countBefore(_ value: UInt8) throws(DecodingFault) -> Int {
        var count = 0
        try withBytes { (held) throws(DecodingFault) in
            count = held.firstIndex(of: value) ?? held.count
            return 0
        }
        return count
    }
}
