internal import AttachmentModel

/// Ticks of a track that its edit list shows (ISO/IEC 14496-12, 8.6.6).
///
/// Lists of several parts besides a pause are ignored, and all frames are shown.
struct EditedTimes {
    private(set) var start = 0
    /// End of the last frame; nil if the list shows the rest of the track.
    private(set) var end: Int?
    /// Ticks of the track in one of the movie, to which the list's writer rounded.
    private(set) var precision = 1

    /// The whole track.
    init() {}

    init(_ list: Cursor, timescale: Int, movieTimescale: Int) throws(HeaderFault) {
        var list = list
        let isWide = try list.fullBox().version == 1
        let count = try list.uint32()
        var part: (start: Int, duration: Int)?
        for _ in 0..<min(2, count) {
            let duration = isWide ? Int(clamping: try list.uint64()) : Int(try list.uint32())
            let time =
                isWide
                ? Int(Int64(bitPattern: try list.uint64()))
                : Int(Int32(bitPattern: try list.uint32()))
            try list.skip(4)
            guard time >= 0 else { continue }
            guard part == nil else { return }
            part = (time, duration)
        }
        guard let part else { return }
        start = part.start
        // Fragmented movies state no duration.
        guard count <= 2, part.duration > 0, movieTimescale > 0, timescale > 0 else { return }
        let (product, isOver) = part.duration.multipliedReportingOverflow(by: timescale)
        let (end, isBeyond) = start.addingReportingOverflow(product / movieTimescale)
        guard !isOver, !isBeyond else { return }
        self.end = end
        precision = (timescale + movieTimescale - 1) / movieTimescale
    }

    /// Ticks for which a frame is shown; nil if it is not shown.
    func shown(_ frame: Range<Int>) -> Int? {
        guard frame.upperBound > start || frame.lowerBound >= start,
            end.map({ frame.lowerBound < $0 }) ?? true
        else { return nil }
        let visible = min(frame.upperBound, end ?? .max) - max(frame.lowerBound, start)
        // A frame after the end may begin before the rounded one.
        if let end, frame.upperBound > end, visible < precision { return nil }
        return max(0, visible)
    }
}
