internal import AttachmentModel

/// Times of a track's samples, in ticks (ISO/IEC 14496-12, 8.6.1.2 and 8.6.1.3).
struct SampleTimes {
    private struct Time {
        /// When the sample is shown.
        let start: Int
        let duration: Int
    }

    private var times: [Time] = []
    private var durations: Runs
    /// Nil if samples are shown in decoding order.
    private var offsets: Runs?
    private var now = 0

    init(_ durations: Cursor, offsets: Cursor?) throws(HeaderFault) {
        self.durations = try Runs(durations)
        if let offsets { self.offsets = try Runs(offsets) }
    }

    mutating func addSample() throws(HeaderFault) {
        let duration = Int(try durations.next())
        // Some writers store negative offsets in the version that has none.
        let offset = Int(Int32(bitPattern: try offsets?.next() ?? 0))
        times.append(Time(start: now + offset, duration: duration))
        now += duration
    }

    /// Samples that an edit shows, in the order in which they are shown.
    func frames(in edit: EditedTimes, timescale: Int) -> [SequenceTrack.Frame] {
        let order = times.indices.sorted {
            (times[$0].start, $0) < (times[$1].start, $1)
        }
        // Reordering moves frames, and their times together stay the same.
        let endOfAll = (order.first.map { times[$0].start } ?? 0) + now
        var frames: [SequenceTrack.Frame] = []
        for (place, sample) in order.enumerated() {
            let time = times[sample]
            let end =
                offsets == nil
                ? time.start + time.duration
                : place + 1 < order.count
                    ? times[order[place + 1]].start : max(time.start, endOfAll)
            guard let ticks = edit.shown(time.start..<end) else { continue }
            frames.append(
                SequenceTrack.Frame(
                    sample: sample, milliseconds: ticks * 1000 / max(1, timescale)))
        }
        return frames
    }

    /// Runs of equal values; the last one holds for all further samples.
    private struct Runs {
        private var cursor: Cursor
        private var count: UInt32
        private var left: UInt32 = 0
        private var value: UInt32 = 0

        init(_ box: Cursor) throws(HeaderFault) {
            cursor = box
            try cursor.skip(4)
            count = try cursor.uint32()
        }

        mutating func next() throws(HeaderFault) -> UInt32 {
            while left == 0, count > 0 {
                (left, value) = (try cursor.uint32(), try cursor.uint32())
                count -= 1
            }
            if left > 0 { left -= 1 }
            return value
        }
    }
}
