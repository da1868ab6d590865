import Foundation

/// Brings the entropy-coded data of one scan into memory, a few thousand bytes at a time, with
/// stuffing undone (T.81, B.1.1.5), and follows its restart markers.
struct JPEGEntropyReader: ~Copyable {
    /// What a window for it should hold, in bytes: 17 MB take 4,300 system calls.
    static let windowCapacity = 4 << 10
    /// What a reader's memory takes, in bytes.
    static let byteCount = windowCapacity + 2 * margin
    /// More than a block takes, in bytes: 64 codes of at most 17 bits with values of at most 15 are
    /// 256, and the bit reader is up to 8 ahead.
    private static let margin = 288

    /// What inner loops copy, use, and write back.
    var bits: JPEGBitReader
    /// Whether the data ended before a unit did: what follows up to the next restart stays as it is.
    private(set) var isExhausted = false

    /// Whether nothing of the scan can follow: its data have ended, and not at a restart.
    var isOver: Bool {
        isExhausted && marker >= JPEGMarker.baselineFrame && !JPEGMarker.restarts.contains(marker)
    }

    private let isTolerant: Bool
    // Owned: a block's margin of unread bytes, what a window holds, and a margin of zeros.
    private let memory: UnsafeMutablePointer<UInt8>
    /// Where the data in memory end.
    private var end: UnsafeMutablePointer<UInt8>
    /// The marker that the data in memory end at; 0 when more of them follow.
    private var marker: UInt8 = 0
    /// Whether that marker is only the end of the file, which libjpeg takes for EOI.
    private var isAtEndOfFile = false
    /// Where reading goes on in the file, in bytes.
    private var position: Int
    /// The number of the next restart marker, 0 to 7.
    private var nextRestart: UInt8 = 0

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - start: Where the data begin, in bytes from the start of the file.
    ///   - isTolerant: Whether damage is passed over as libjpeg does.
    init(from start: Int, isTolerant: Bool) {
        position = start
        self.isTolerant = isTolerant
        memory = .allocate(capacity: Self.byteCount)
        memory.initialize(repeating: 0, count: Self.byteCount)
        end = memory
        bits = JPEGBitReader(next: memory, checkpoint: memory)
    }

    deinit { memory.deallocate() }

    /// Makes ready for another block when ``JPEGBitReader/next`` has come to its checkpoint.
    ///
    /// - Parameter window: A window over the file.
    /// - Throws: `corrupt` or `truncated` when a strict reader took bits that are not there, and
    ///   `unreadable`.
    @inline(never)
    mutating func replenish(from window: inout FileWindow) throws(DecodingFault) {
        while marker == 0, unreadBytes < Self.margin {
            try stage(from: &window)
        }
        if marker == 0 {
            bits.checkpoint = UnsafePointer(end - Self.margin)
        } else {
            try settle()
            bits.checkpoint = UnsafePointer(end)
        }
    }

    /// Looks whether more bits were taken than there are, at the end of a row.
    ///
    /// - Throws: `corrupt` or `truncated` when a strict reader took bits that are not there.
    mutating func settle() throws(DecodingFault) {
        guard unreadBits < 0 else { return }
        guard isTolerant else {
            throw isAtEndOfFile
                ? fault(.truncated, "the file ends before its picture does")
                : fault(.corrupt, "a scan ends before its picture does")
        }
        isExhausted = true
        empty()
    }

    /// What a strict reader stops at.
    ///
    /// - Parameter reason: What is wrong.
    /// - Throws: `corrupt` when the reader is strict.
    @inline(never)
    func damage(_ reason: String) throws(DecodingFault) {
        guard isTolerant else { throw fault(.corrupt, reason) }
    }

    /// Goes on behind the restart marker that is due (T.81, E.2.4), or does what libjpeg does where
    /// there is another one.
    ///
    /// - Parameter window: A window over the file.
    /// - Throws: `corrupt` when a strict reader finds anything but the marker, and `unreadable`.
    mutating func restart(from window: inout FileWindow) throws(DecodingFault) {
        try settle()
        // Padding to a whole byte is part of the data (T.81, F.1.2.3).
        if unreadBits >= 8 { try damage("there are bytes before a restart marker") }
        try skipToMarker(in: &window)
        if marker != JPEGMarker.restarts.lowerBound + nextRestart {
            guard isTolerant else {
                throw isAtEndOfFile
                    ? fault(.truncated, "the file ends before its picture does")
                    : fault(.corrupt, "a restart marker is missing")
            }
            try resynchronise(in: &window)
        } else {
            marker = 0
        }
        nextRestart = (nextRestart + 1) & 7
        if marker == 0 { isExhausted = false }
    }

    /// Looks for the restart marker, by the rules of `jpeg_resync_to_restart`.
    ///
    /// A marker of the last two restarts is passed over; at one of the next two the reader waits, so
    /// that the restart interval up to there stays empty; any other number is taken for the right
    /// one. Markers that end scans are waited at, and those that no JPEG has are passed over.
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

    /// Drops what is in memory, and the data up to the next marker.
    private mutating func skipToMarker(in window: inout FileWindow) throws(DecodingFault) {
        empty()
        while marker == 0 {
            try stage(from: &window)
            if end > memory { try damage("there are bytes before a restart marker") }
            empty()
        }
    }

    /// Forgets the data in memory; there are zeros behind them.
    private mutating func empty() {
        end = memory
        memory.update(repeating: 0, count: Self.margin)
        bits = JPEGBitReader(next: memory, checkpoint: memory)
    }

    /// Bits that are there and were not taken; less than 0 when zeros behind the data were taken.
    private var unreadBits: Int { unreadBytes * 8 + bits.count }

    /// Bytes that are behind those bits; less than 0 when zeros behind the data were read.
    private var unreadBytes: Int { UnsafeRawPointer(end) - UnsafeRawPointer(bits.next) }

    private func fault(_ code: DecodingFault.Code, _ reason: String) -> DecodingFault {
        DecodingFault(code, at: position - max(unreadBytes, 0), reason)
    }

    /// Moves what was not read to the start of the memory, and reads on behind it, up to a marker.
    private mutating func stage(from window: inout FileWindow) throws(DecodingFault) {
        // Not negative: a block ends at least eight bytes before the end, by the margin.
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

    /// Copies data up to a byte 0xFF that is not stuffed.
    ///
    /// - Returns: How many bytes were taken, that byte among them.
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
            // Valid: not more than `room` bytes come in, and what goes out is never more.
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

    /// Reads what stands behind a byte 0xFF: fill bytes, then a stuffed zero or a marker.
    private mutating func readMarker(from window: inout FileWindow) throws(DecodingFault) {
        var code: UInt8?
        repeat { code = try window.readByte() } while code == 0xFF
        switch code {
        case nil:
            endFile()
        case 0:
            // Valid: the byte 0xFF was counted as one of those that came in.
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
