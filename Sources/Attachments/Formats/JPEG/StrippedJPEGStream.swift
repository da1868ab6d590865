package import AttachmentModel

/// A JPEG without Exif, XMP, comments and maker segments, which libjpeg would keep in memory.
///
/// Everything else passes through unchanged, including damage. With `endsAtEndOfImage` the output is
/// a picture to publish: what follows the first picture is dropped, and a JFIF segment with a
/// thumbnail is a fault. With `mending`, faults that lose no pixel are mended, so that all warnings
/// of a library are about damage.
package final class StrippedJPEGStream: SimplerFile {
    private var window: FileWindow
    private var remaining = 2
    private var keptBytes = 0
    private let endsAtEndOfImage: Bool
    private var isEnded = false
    private let mending: JPEGMending?
    /// Bytes to return before the file's bytes.
    private var mended: ArraySlice<UInt8> = []

    /// Large, because the whole file is scanned for markers.
    private static let windowCapacity = 64 << 10

    package convenience init(_ file: OpenFile, endsAtEndOfImage: Bool = false) {
        self.init(file, endsAtEndOfImage: endsAtEndOfImage, mending: nil)
    }

    init(_ file: OpenFile, endsAtEndOfImage: Bool = false, mending: JPEGMending?) {
        self.endsAtEndOfImage = endsAtEndOfImage
        self.mending = mending
        window = FileWindow(file, capacity: Self.windowCapacity)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        while true {
            if !mended.isEmpty { return takeMended(into: buffer) }
            if remaining == 0 { remaining = try countBeforeMarker() }
            if remaining == 0 {
                guard try parseMarker() else { return 0 }
                continue
            }
            let count = try window.copy(into: buffer, atMost: remaining)
            remaining -= count
            if count > 0 || mending == nil { return count }
            remaining = 0
        }
    }

    private func takeMended(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = mended.prefix(buffer.count)
        buffer.copyBytes(from: part)
        mended = mended.dropFirst(part.count)
        return part.count
    }

    /// Bytes of a scan up to the next marker; stray bytes outside of scans are skipped if mended.
    private func countBeforeMarker() throws(DecodingFault) -> Int {
        while true {
            let count = try window.countBefore(0xFF)
            guard count > 0, let mending, mending.dropsStrayBytes() else { return count }
            window.seek(to: window.offset + count)
        }
    }

    private func parseMarker() throws(DecodingFault) -> Bool {
        guard !isEnded else { return false }
        let start = window.offset
        guard try window.readByte() != nil, let marker = try window.readByte() else {
            window.seek(to: start)
            return try endOfFile()
        }
        // A fill byte; the next byte may start a marker.
        if marker == 0xFF { return passThrough(1, from: start) }
        isEnded = (endsAtEndOfImage || mending != nil) && marker == JPEGMarker.endOfImage
        if let restart = mending?.restart(marker) {
            mended = [0xFF, restart]
            return true
        }
        guard !JPEGMarker.standsAlone(marker), let stored = try window.readUInt16()
        else { return passThrough(2, from: start) }
        let length = max(2, Int(stored))
        if JPEGMarker.isMetadata(marker) {
            let body = try window.readBytes(min(JPEGMarker.longestIdentifier, length - 2))
            guard JPEGMarker.affectsColour(marker, body) else {
                window.seek(to: start + 2 + length)
                return true
            }
            guard !endsAtEndOfImage || marker != 0xE0 || length <= JPEGMarker.plainJFIF else {
                throw DecodingFault(.unsupported, at: start, "a JFIF segment with a thumbnail")
            }
            guard keptBytes + length <= ColourProfile.ceiling else {
                // Skips the rest of a profile that is too long; libraries ignore the cut profile.
                window.seek(to: start + 2 + length)
                return true
            }
            keptBytes += length
        }
        if let mending, mending.concerns(marker) {
            window.seek(to: start + 4)
            var body = try window.readBytes(length - 2)
            if body.count == length - 2, mending.mend(&body, of: marker) {
                mended = ([0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + body)[...]
                return true
            }
        }
        return passThrough(2 + length, from: start)
    }

    /// Passes an unpaired last byte through, or ends the file.
    private func endOfFile() throws(DecodingFault) -> Bool {
        if let end = mending?.end() {
            (mended, isEnded) = (end[...], true)
            return true
        }
        let start = window.offset
        guard mending == nil, try window.readByte() != nil else { return false }
        return passThrough(1, from: start)
    }

    private func passThrough(_ count: Int, from start: Int) -> Bool {
        window.seek(to: start)
        remaining = count
        return true
    }
}
