import AttachmentModel

/// Copies the application segments before the first scan that affect colour.
///
/// Drops Exif, comments and maker segments, because libjpeg would keep them all. Drops segments
/// between scans: libjpeg fixes the colour interpretation at the first scan, so a later segment
/// must not move before it.
struct JPEGApplicationSegments: ~Copyable {
    private var reader: JPEGSegmentReader
    private var kept = 0

    /// Starts at the start of a file; `end` is the offset of its first scan header.
    init(_ file: OpenFile, end: Int) throws(DecodingFault) {
        reader = JPEGSegmentReader(file, end: end)
        try reader.startOfImage()
    }

    /// Returns the next segment with marker and length, at most 64 KB; empty after the last.
    mutating func next() throws(DecodingFault) -> [UInt8] {
        while let marker = try reader.nextMarker() {
            switch marker {
            case JPEGMarker.applications:
                let start = reader.offset
                let segment = try reader.wholeSegment(marker)
                guard JPEGMarker.affectsColour(marker, segment.dropFirst(4)) else { continue }
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
