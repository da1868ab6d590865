import Foundation

/// Walks through the marker segments and the entropy-coded segments of a file (T.81, B.1.1).
struct JPEGSegmentReader: ~Copyable {
    /// Large, since the whole file is read for its markers once.
    private static let windowCapacity = 64 << 10

    private var window: FileWindow

    /// Opens a reader at the start of a file.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - length: What the file holds, in bytes.
    init(descriptor: CInt, length: Int) {
        window = FileWindow(
            descriptor: descriptor, over: 0..<max(length, 0),
            capacity: min(Self.windowCapacity, max(length, 1)))
    }

    /// Where the next byte stands in the file, in bytes.
    var offset: Int { window.offset }

    /// Reads the marker that a file begins with.
    ///
    /// - Throws: `corrupt` when it is not SOI, and `unreadable`.
    mutating func startOfImage() throws(DecodingFault) {
        guard try window.readByte() == 0xFF, try window.readByte() == JPEGMarker.startOfImage else {
            throw DecodingFault(.corrupt, at: 0, "it does not begin as a JPEG")
        }
    }

    /// Goes on to the next marker, over fill bytes (T.81, B.1.1.2) and stray ones.
    ///
    /// libjpeg passes over stray bytes with a warning and nothing lost; they are no fault here.
    ///
    /// - Returns: The byte behind 0xFF; nil at the end of the file.
    /// - Throws: `unreadable`.
    mutating func nextMarker() throws(DecodingFault) -> UInt8? {
        while try skipThrough0xFF() {
            var code: UInt8?
            repeat { code = try window.readByte() } while code == 0xFF
            guard let code else { return nil }
            if code != 0 { return code }
        }
        return nil
    }

    /// Goes over the entropy-coded segments of a scan to the marker behind them.
    ///
    /// Restart markers are part of a scan, even where none is expected. So are markers that no JPEG
    /// has when there are restarts: libjpeg goes on behind them at the next restart.
    ///
    /// - Parameter hasRestarts: Whether a restart interval is in force.
    /// - Returns: The byte behind 0xFF; nil at the end of the file.
    /// - Throws: `unreadable`.
    mutating func markerBehindScan(hasRestarts: Bool) throws(DecodingFault) -> UInt8? {
        while let marker = try nextMarker() {
            if JPEGMarker.restarts.contains(marker) { continue }
            if hasRestarts, marker < JPEGMarker.baselineFrame { continue }
            return marker
        }
        return nil
    }

    /// Reads the body of the segment whose marker was read.
    ///
    /// - Throws: `corrupt` when its length leaves itself out, `truncated`, `unreadable`.
    mutating func segment() throws(DecodingFault) -> JPEGSegment {
        let count = try segmentLength()
        let start = window.offset
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        try append(count, to: &bytes)
        return JPEGSegment(bytes, at: start)
    }

    /// Reads the segment whose marker was read, as it is in the file.
    ///
    /// - Parameter marker: The marker.
    /// - Returns: Marker, length and body, without fill bytes.
    /// - Throws: `corrupt` when its length leaves itself out, `truncated`, `unreadable`.
    mutating func wholeSegment(_ marker: UInt8) throws(DecodingFault) -> [UInt8] {
        let count = try segmentLength()
        let length = count + 2
        var bytes: [UInt8] = [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)]
        bytes.reserveCapacity(4 + count)
        try append(count, to: &bytes)
        return bytes
    }

    private mutating func append(_ count: Int, to bytes: inout [UInt8]) throws(DecodingFault) {
        let wanted = bytes.count + count
        while bytes.count < wanted {
            var isAtEnd = false
            try window.withBytes { (held) throws(DecodingFault) in
                let part = held.prefix(wanted - bytes.count)
                bytes.append(contentsOf: part)
                isAtEnd = part.isEmpty
                return part.count
            }
            if isAtEnd { throw endOfFile() }
        }
    }

    /// Passes over the body of the segment whose marker was read.
    ///
    /// - Throws: `corrupt` when its length leaves itself out, `truncated`, `unreadable`.
    mutating func skipSegment() throws(DecodingFault) {
        let count = try segmentLength()
        window.seek(to: window.offset + count)
    }

    /// The fault of a file that ends here.
    func endOfFile() -> DecodingFault {
        DecodingFault(.truncated, at: window.offset, "the file ends before its picture does")
    }

    /// The length of a body: the two bytes of the length count themselves (T.81, B.1.1.4).
    private mutating func segmentLength() throws(DecodingFault) -> Int {
        let start = window.offset
        guard let high = try window.readByte(), let low = try window.readByte() else {
            throw endOfFile()
        }
        let length = Int(high) << 8 | Int(low)
        guard length >= 2 else {
            throw DecodingFault(.corrupt, at: start, "a segment has a length of \(length)")
        }
        return length - 2
    }

    /// Reads on until a byte 0xFF was read.
    private mutating func skipThrough0xFF() throws(DecodingFault) -> Bool {
        while true {
            var isFound = false
            var isAtEnd = false
            try window.withBytes { (held) throws(DecodingFault) in
                isAtEnd = held.isEmpty
                guard let start = held.baseAddress, !held.isEmpty else { return 0 }
                guard let found = memchr(start, 0xFF, held.count) else { return held.count }
                isFound = true
                return UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
            }
            if isFound { return true }
            if isAtEnd { return false }
        }
    }
}
