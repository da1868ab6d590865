/// Copies the segments of applications and the comments that stand before the first scan: profile,
/// Exif, and what tells the colours.
///
/// Those between scans are left out: what libjpeg knows of the picture's colours at the first scan
/// stays, so that a segment that comes later must not be moved before it.
struct JPEGApplicationSegments: ~Copyable {
    private var reader: JPEGSegmentReader

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
            case JPEGMarker.applications, JPEGMarker.comment:
                return try reader.wholeSegment(marker)
            case JPEGMarker.temporary, JPEGMarker.restarts:
                continue
            default:
                try reader.skipSegment()
            }
        }
        return []
    }
}
