import AttachmentModel

/// Rows of a frame as indices, from top to bottom.
///
/// An interlaced frame has four readers, one at the start of each pass. The first row locates the
/// passes, which takes the time of half the frame.
final class GIFFrameRows {
    private let frame: GIFFrame
    // One per pass, or one if not interlaced.
    private var readers: [GIFIndexReader]
    private var row = 0

    init(_ file: OpenFile, frame: GIFFrame, isTolerant: Bool) {
        self.frame = frame
        readers = [GIFIndexReader(file, frame: frame, isTolerant: isTolerant)]
    }

    /// Indices of the next row, valid until the next call; fewer where tolerated data are missing.
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
