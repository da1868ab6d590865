/// A JPEG without what is not about its pixels: Exif, XMP, comments and the segments of makers.
///
/// libjpeg keeps every such segment for as long as it decodes, and libvips copies of them, however
/// many there are. All else is handed on byte for byte, damage included, which is the decoder's to
/// judge.
package final class StrippedJPEGStream: SimplerFile {
    private var window: FileWindow
    /// Bytes that are handed on before markers are looked for again.
    private var remaining = 2
    /// What the segments take that are kept, in bytes.
    private var kept = 0

    /// Large, since the whole file is read for its markers.
    private static let windowCapacity = 64 << 10

    /// Reads from the start of a file.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's, and stays open as
    ///     long as this is read.
    ///   - length: Its length, in bytes.
    package init(descriptor: CInt, length: Int) {
        window = FileWindow(
            descriptor: descriptor, over: 0..<max(length, 0), capacity: Self.windowCapacity)
    }

    package func read(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> Int {
        while true {
            if remaining == 0 { remaining = try window.countBefore(0xFF) }
            if remaining == 0 {
                guard try passMarker() else { return 0 }
                continue
            }
            let count = try window.copy(into: buffer, atMost: remaining)
            remaining -= count
            return count
        }
    }

    /// Looks at the byte 0xFF that is next, and at what follows it.
    ///
    /// - Returns: Whether there is one.
    private func passMarker() throws(DecodingFault) -> Bool {
        let start = window.offset
        guard try window.readByte() != nil else { return false }
        let marker = try window.readByte() ?? 0
        // A fill byte: the one behind it may begin a marker.
        if marker == 0xFF { return handOn(1, from: start) }
        guard !JPEGMarker.standsAlone(marker), let high = try window.readByte(),
            let low = try window.readByte()
        else { return handOn(2, from: start) }
        let length = max(2, Int(high) << 8 | Int(low))
        if JPEGMarker.isMetadata(marker) {
            var body: [UInt8] = []
            while body.count < min(JPEGMarker.longestIdentifier, length - 2),
                let byte = try window.readByte()
            { body.append(byte) }
            guard JPEGMarker.affectsColour(marker, body) else {
                window.seek(to: start + 2 + length)
                return true
            }
            kept += length
            guard kept <= ColourProfile.ceiling else {
                throw ColourProfile.tooLong(kept, at: start)
            }
        }
        return handOn(2 + length, from: start)
    }

    private func handOn(_ count: Int, from start: Int) -> Bool {
        window.seek(to: start)
        remaining = count
        return true
    }
}
