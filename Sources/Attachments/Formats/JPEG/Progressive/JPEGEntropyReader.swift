import Foundation

/// Loads the entropy-coded data of one scan in small pieces, removes stuffing (T.81, B.1.1.5) and
/// handles restart markers.
struct JPEGEntropyReader: ~Copyable {
    /// Buffer of the file window in bytes; 17 MB then take 4,300 system calls.
    static let windowCapacity = 4 << 10
    static let byteCount = windowCapacity + 2 * margin
    /// More than a block takes: 64 codes of up to 17 bits with values of up to 15 take 256 bytes,
    /// and the bit reader is up to 8 ahead.
    private static let margin = 288

    var bits: JPEGBitReader
    /// True if the data ended inside a unit; blocks then stay unchanged up to the next restart.
    private(set) var isExhausted = false
    /// True once the number of a restart marker was not the expected one.
    private(set) var hasOtherRestarts = false

    /// True if no more data of the scan can follow: the data ended, and not at a restart.
    var isOver: Bool {
        isExhausted && marker >= JPEGMarker.baselineFrame && !JPEGMarker.restarts.contains(marker)
    }

    private let isTolerant: Bool
    // Owned: a margin of unread bytes, the contents of a window, and a margin of zeros.
    private let memory: UnsafeMutablePointer<UInt8>
    private var end: UnsafeMutablePointer<UInt8>
    private var marker: UInt8 = 0
    /// True if that marker stands for the end of the file, which libjpeg treats as EOI.
    private var isAtEndOfFile = false
    private var position: Int
    private var nextRestart: UInt8 = 0

    init(from start: Int, isTolerant: Bool) {
        position = start
        self.isTolerant = isTolerant
        memory = .allocate(capacity: Self.byteCount)
        memory.initialize(repeating: 0, count: Self.byteCount)
        end = memory
        bits = JPEGBitReader(next: memory, checkpoint: memory)
    }

    deinit { memory.deallocate() }

    /// Prepares for another block after ``JPEGBitReader/next`` reached its checkpoint.
    @inline(never)
    mutating func replenish(from window: inout FileWindow) throws(DecodingFault) {
        while marker == 0, unreadBytes < Self.margin {
            try fill(from: &window)
        }
        if marker == 0 {
            bits.checkpoint = UnsafePointer(end - Self.margin)
        } else {
            try checkOverrun()
            bits.checkpoint = UnsafePointer(end)
        }
    }

    /// Checks at the end of a row that no bits beyond the data were read.
    mutating func checkOverrun() throws(DecodingFault) {
        guard unreadBits < 0 else { return }
        guard isTolerant else {
            throw fault(
                .truncated,
                isAtEndOfFile
                    ? "the file ends before its picture does"
                    : "a scan ends before its picture does")
        }
        isExhausted = true
        reset()
    }

    @inline(never)
    func damage(_ reason: String) throws(DecodingFault) {
        guard isTolerant else { throw fault(.corrupt, reason) }
    }

    /// Continues after a restart marker (T.81, E.2.4).
    ///
    /// All blocks before it were decoded, so that a marker with another number stands for the expected
    /// one; if an interval is missing, the data end early. A tolerant reader recovers as libjpeg does.
    mutating func restart(from window: inout FileWindow) throws(DecodingFault) {
        try checkOverrun()
        // Padding to a whole byte is part of the data (T.81, F.1.2.3).
        if unreadBits >= 8 { try damage("there are bytes before a restart marker") }
        try skipToMarker(in: &window)
        if marker != JPEGMarker.restarts.lowerBound + nextRestart {
            if isTolerant {
                try resynchronise(in: &window)
            } else if JPEGMarker.restarts.contains(marker) {
                (marker, hasOtherRestarts) = (0, true)
            } else {
                throw isAtEndOfFile || marker == JPEGMarker.endOfImage
                    ? fault(.truncated, "the file ends before its picture does")
                    : fault(.corrupt, "a restart marker is missing")
            }
        } else {
            marker = 0
        }
        nextRestart = (nextRestart + 1) & 7
        if marker == 0 { isExhausted = false }
    }

    /// Finds the restart marker by the rules of `jpeg_resync_to_restart`.
    ///
    /// Skips a marker of the previous two restarts. At one of the next two, leaves the restart
    /// interval empty and waits. Treats any other number as the expected one. Waits at markers that
    /// end scans and skips undefined markers.
    private mutating func resynchronise(in window: inout FileWindow) throws(DecodingFault) {
        while marker != 0 {
            if marker < JPEGMarker.baselineFrame {
                marker = 0
                try skipToMarker(in: &window)
                continue
            }
            guard JPEGMarker.restarts.contains(marker) else { return }
            switch (marker &- JPEGMarker.restarts.lowerBound &- nextRestart) & 7 {
            case 1, 2:
                return
            case 6, 7:
                marker = 0
                try skipToMarker(in: &window)
            default:
                marker = 0
            }
        }
    }

    private mutating func skipToMarker(in window: inout FileWindow) throws(DecodingFault) {
        reset()
        while marker == 0 {
            try fill(from: &window)
            if end > memory { try damage("there are bytes before a restart marker") }
            reset()
        }
    }

    private mutating func reset() {
        end = memory
        memory.update(repeating: 0, count: Self.margin)
        bits = JPEGBitReader(next: memory, checkpoint: memory)
    }

    /// Bits left; negative if zeros after the data were consumed.
    private var unreadBits: Int { unreadBytes * 8 + bits.count }

    /// Bytes left after those bits; negative if zeros after the data were loaded.
    private var unreadBytes: Int { UnsafeRawPointer(end) - UnsafeRawPointer(bits.next) }

    private func fault(_ code: DecodingFault.Code, _ reason: String) -> DecodingFault {
        DecodingFault(code, at: position - max(unreadBytes, 0), reason)
    }

    /// Moves unread bytes to the start of the memory and reads more, up to a marker.
    private mutating func fill(from window: inout FileWindow) throws(DecodingFault) {
        // Never negative: the margin ends a block at least eight bytes before the end.
        let kept = max(unreadBytes, 0)
        memory.update(from: bits.next, count: kept)
        bits.next = UnsafePointer(memory)
        end = memory + kept
        window.seek(to: position)
        var isMarkerNext = false
        var isAtEnd = false
        let room = Self.byteCount - Self.margin - kept
        try window.withBytes { (held) throws(DecodingFault) in
            isAtEnd = held.isEmpty
            return unstuff(held.prefix(room), isMarkerNext: &isMarkerNext)
        }
        if isMarkerNext { try readMarker(from: &window) }
        if isAtEnd { endFile() }
        position = window.offset
        if marker != 0 { end.update(repeating: 0, count: Self.margin) }
    }

    /// Copies data up to an unstuffed 0xFF and returns the number of bytes consumed, including that
    /// byte.
    private mutating func unstuff(
        _ held: Slice<UnsafeBufferPointer<UInt8>>, isMarkerNext: inout Bool
    )
        -> Int
    {
        let bytes = UnsafeBufferPointer(rebasing: held)
        guard let start = bytes.baseAddress else { return 0 }
        var taken = 0
        while taken < bytes.count {
            let rest = bytes.count - taken
            let found = memchr(start + taken, 0xFF, rest)
            let length =
                found.map { UnsafeRawPointer($0) - UnsafeRawPointer(start) - taken } ?? rest
            // In bounds: at most `room` bytes are read, and the output is never longer than the
            // input.
            memcpy(end, start + taken, length)
            end += length
            taken += length
            guard found != nil else { break }
            taken += 1
            guard taken < bytes.count, bytes[taken] == 0 else {
                isMarkerNext = true
                break
            }
            taken += 1
            end.pointee = 0xFF
            end += 1
        }
        return taken
    }

    /// Reads the bytes after 0xFF: fill bytes, then a stuffed zero or a marker.
    private mutating func readMarker(from window: inout FileWindow) throws(DecodingFault) {
        var code: UInt8?
        repeat { code = try window.readByte() } while code == 0xFF
        switch code {
        case nil:
            endFile()
        case 0:
            // In bounds: the 0xFF was counted as input.
            end.pointee = 0xFF
            end += 1
        case let code?:
            marker = code
        }
    }

    private mutating func endFile() {
        isAtEndOfFile = true
        marker = JPEGMarker.endOfImage
    }
}
