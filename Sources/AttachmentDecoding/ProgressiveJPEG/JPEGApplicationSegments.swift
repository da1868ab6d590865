/// Copies the segments of applications that stand before the first scan and tell the colours.
///
/// Exif, comments and those of makers are left out, since libjpeg would keep them all.
///
/// Those between scans are left out: what libjpeg knows of the picture's colours at the first scan
/// stays, so that a segment that comes later must not be moved before it.
struct JPEGApplicationSegments: ~Copyable {
    private var reader: JPEGSegmentReader
    /// What was copied, in bytes.
    private var kept = 0

    /// Starts at the start of a file.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading.
    ///   - end: Where its first scan header begins, in bytes.
    /// - Throws: `corrupt`, `unreadable`.
    init(descriptor: CInt, end: Int) throws(DecodingFault) {
        reader = JPEGSegmentReader(descriptor: descriptor, length: end)
        try reader.startOfImage()
    }

    /// The next segment with its marker and length, 64 KB at the most; nothing behind the last.
    ///
    /// - Throws: `DecodingFault`.
    mutating func next() throws(DecodingFault) -> [UInt8] {
        while let marker = try reader.nextMarker() {
            switch marker {
            case JPEGMarker.applications:
                let start = reader.offset
                let segment = try reader.wholeSegment(marker)
                guard JPEGMarker.tellsColours(marker, segment.dropFirst(4)) else { continue }
                kept += segment.count
                guard kept <= ColourProfile.ceiling else {
                    throw ColourProfile.tooLong(kept, at: start)
                }
                return segment
            case JPEGMarker.temporary, JPEGMarker.restarts:
                continue
            default:
                try reader.skipSegment()
            }
        }
        return []
    }
}
