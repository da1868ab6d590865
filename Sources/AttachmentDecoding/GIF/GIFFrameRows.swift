/// The rows of a frame as indices, from top to bottom, interlaced or not.
///
/// Rows of an interlaced frame come from four readers, each at the beginning of one of the four
/// passes. The first row finds those places: it takes the time of half the frame.
final class GIFFrameRows {
    private let frame: GIFFrame
    // One for each pass; one when the frame is not interlaced.
    private var readers: [GIFIndexReader]
    private var row = 0

    /// Opens a frame.
    ///
    /// - Parameters:
    ///   - descriptor: The file; it stays the caller's.
    ///   - length: The length of the file, in bytes.
    ///   - frame: The frame.
    ///   - isTolerant: Whether missing and damaged data only leave pixels out.
    init(descriptor: CInt, length: Int, frame: GIFFrame, isTolerant: Bool) {
        self.frame = frame
        readers = [
            GIFIndexReader(
                descriptor: descriptor, length: length, frame: frame, isTolerant: isTolerant)
        ]
    }

    /// Gives the next row.
    ///
    /// - Returns: Its indices, fewer than the frame is wide where data are missing, none past the
    ///   last row; they stay valid up to the next call and no longer than this object.
    /// - Throws: `DecodingFault` with code `unreadable`, and `truncated` or `corrupt` unless damage
    ///   is tolerated.
    func next() throws(DecodingFault) -> UnsafeBufferPointer<UInt8> {
        guard row < frame.height else { return UnsafeBufferPointer(start: nil, count: 0) }
        if frame.isInterlaced && row == 0 { try findPasses() }
        let reader = frame.isInterlaced ? readers[GIFInterlace.pass(of: row)] : readers[0]
        row += 1
        return try reader.next(frame.width)
    }

    private func findPasses() throws(DecodingFault) {
        let ahead = readers[0]
        readers = []
        for pass in 0..<GIFInterlace.passCount - 1 {
            readers.append(GIFIndexReader(copying: ahead))
            let rows = GIFInterlace.rows(in: pass, of: frame.height)
            try ahead.skip(rows: rows, of: frame.width)
        }
        readers.append(ahead)
    }
}
