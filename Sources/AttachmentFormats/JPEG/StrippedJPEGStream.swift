package import AttachmentModel

/// A JPEG without Exif, XMP, comments and maker segments, which libjpeg would keep in memory.
///
/// Everything else passes through unchanged, including damage. With `endsAtEndOfImage` the output is
/// a picture to publish: what follows the first picture is dropped, and a JFIF segment with a
/// thumbnail is a fault.
package final class StrippedJPEGStream: SimplerFile {
    private var window: FileWindow
    private var remaining = 2
    private var keptBytes = 0
    private let endsAtEndOfImage: Bool
    private var isEnded = false

    /// Large, because the whole file is scanned for markers.
    private static let windowCapacity = 64 << 10

    package init(_ file: OpenFile, endsAtEndOfImage: Bool = false) {
        self.endsAtEndOfImage = endsAtEndOfImage
        window = FileWindow(file, capacity: Self.windowCapacity)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        while true {
            if remaining == 0 { remaining = try window.countBefore(0xFF) }
            if remaining == 0 {
                guard try parseMarker() else { return 0 }
                continue
            }
            let count = try window.copy(into: buffer, atMost: remaining)
            remaining -= count
            return count
        }
    }

    private func parseMarker() throws(DecodingFault) -> Bool {
        guard !isEnded else { return false }
        let start = window.offset
        guard try window.readByte() != nil else { return false }
        let marker = try window.readByte() ?? 0
        // A fill byte; the next byte may start a marker.
        if marker == 0xFF { return passThrough(1, from: start) }
        isEnded = endsAtEndOfImage && marker == JPEGMarker.endOfImage
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
                // The rest of a profile that is too long, and is ignored since it is cut.
                window.seek(to: start + 2 + length)
                return true
            }
            keptBytes += length
        }
        return passThrough(2 + length, from: start)
    }

    private func passThrough(_ count: Int, from start: Int) -> Bool {
        window.seek(to: start)
        remaining = count
        return true
    }
}
