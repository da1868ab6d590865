import AttachmentModel
import Foundation

/// Reads the marker segments of a file and skips entropy-coded segments (T.81, B.1.1).
struct JPEGSegmentReader: ~Copyable {
    /// Large, because the whole file is scanned once for markers.
    private static let windowCapacity = 64 << 10

    private var window: FileWindow

    init(_ file: OpenFile, end: Int? = nil) {
        let end = max(0, end ?? file.length)
        window = FileWindow(file, over: 0..<end, capacity: min(Self.windowCapacity, max(end, 1)))
    }

    var offset: Int { window.offset }

    /// True once bytes between segments were skipped.
    private(set) var hasStrayBytes = false

    mutating func startOfImage() throws(DecodingFault) {
        guard try window.readByte() == 0xFF, try window.readByte() == JPEGMarker.startOfImage else {
            throw DecodingFault(.corrupt, at: 0, "it does not begin as a JPEG")
        }
    }

    /// Skips fill bytes (T.81, B.1.1.2) and stray bytes, as libjpeg does without loss; nil at the
    /// end of the file.
    mutating func nextMarker() throws(DecodingFault) -> UInt8? {
        while true {
            let start = window.offset
            guard try skipThrough0xFF() else { return nil }
            if window.offset > start + 1 { hasStrayBytes = true }
            var code: UInt8?
            repeat { code = try window.readByte() } while code == 0xFF
            guard let code else { return nil }
            if code != 0 { return code }
            hasStrayBytes = true
        }
    }

    /// Skips entropy-coded data, its restart markers and, if restarts are defined, undefined
    /// markers, after which libjpeg resumes at the next restart; nil at the end of the file.
    mutating func markerAfterScan(hasRestarts: Bool) throws(DecodingFault) -> UInt8? {
        let hadStrayBytes = hasStrayBytes
        defer { hasStrayBytes = hadStrayBytes }
        while let marker = try nextMarker() {
            if JPEGMarker.restarts.contains(marker) { continue }
            if hasRestarts, marker < JPEGMarker.baselineFrame { continue }
            return marker
        }
        return nil
    }

    mutating func segment() throws(DecodingFault) -> JPEGSegment {
        let count = try segmentLength()
        let start = window.offset
        let bytes = try window.readBytes(count)
        guard bytes.count == count else { throw endOfFile() }
        return JPEGSegment(bytes, at: start)
    }

    /// Returns the next application segment that affects colour, with marker and length, at most
    /// 64 KB; empty after the last.
    ///
    /// Drops Exif, comments and maker segments, because libjpeg would keep them all. `kept` counts
    /// the returned bytes.
    mutating func nextColourSegment(kept: inout Int) throws(DecodingFault) -> [UInt8] {
        while let marker = try nextMarker() {
            if marker == JPEGMarker.temporary || JPEGMarker.restarts.contains(marker) { continue }
            guard JPEGMarker.applications.contains(marker) else {
                try skipSegment()
                continue
            }
            let length = try segmentLength() + 2
            var bytes: [UInt8] = [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)]
            bytes.reserveCapacity(length + 2)
            try window.append(length - 2, to: &bytes)
            guard bytes.count == length + 2 else { throw endOfFile() }
            guard JPEGMarker.affectsColour(marker, bytes.dropFirst(4)) else { continue }
            // Beyond it there is the rest of a profile that is too long, and is ignored since it is cut.
            guard kept + bytes.count <= ColourProfile.ceiling else { continue }
            kept += bytes.count
            return bytes
        }
        return []
    }

    mutating func skipSegment() throws(DecodingFault) {
        let count = try segmentLength()
        window.seek(to: window.offset + count)
    }

    func endOfFile() -> DecodingFault {
        DecodingFault(.truncated, at: window.offset, "the file ends before its picture does")
    }

    /// Length of a body, without the two bytes of the length itself (T.81, B.1.1.4).
    private mutating func segmentLength() throws(DecodingFault) -> Int {
        let start = window.offset
        guard let length = try window.readUInt16() else {
            throw endOfFile()
        }
        guard length >= 2 else {
            throw DecodingFault(.corrupt, at: start, "a segment has a length of \(length)")
        }
        return Int(length) - 2
    }

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
