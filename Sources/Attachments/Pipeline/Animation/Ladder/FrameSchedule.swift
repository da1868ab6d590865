/// Frames of the output and their display times.
struct FrameSchedule: Hashable, Sendable {
    struct Slot: Hashable, Sendable {
        /// Frame number in the animation, from 0.
        let frame: Int
        /// Display time in hundredths of a second, the unit of a GIF.
        let centiseconds: Int

        init(_ frame: Int, from start: Int, to end: Int) {
            self.frame = frame
            centiseconds = max(2, (end + 5) / 10 - (start + 5) / 10)
        }
    }

    let slots: [Slot]
    /// Number of source frames covered by the output frames.
    let frameCount: Int

    /// Shortest display time in milliseconds; viewers replace shorter ones by a tenth of a second.
    private static let shortest = 20

    /// Takes every `stride`th frame, which also covers the following ones.
    ///
    /// Frames too short for a GIF are covered by the preceding one. Start times are rounded, not
    /// durations, so that errors do not add up. Frames that begin after `limit` milliseconds are
    /// dropped.
    init(_ delays: [Int], stride: Int, until limit: Int) {
        var slots: [Slot] = []
        // Start of the current output frame, and end of the source frames visited so far.
        var (first, start, end, index) = (0, 0, 0, 0)
        while index < delays.count, index == 0 || end < limit {
            if index - first >= stride, end - start >= Self.shortest {
                slots.append(Slot(first, from: start, to: end))
                (first, start) = (index, end)
            }
            end += delays[index]
            index += 1
        }
        if end - start < Self.shortest, let last = slots.popLast() {
            // Too short at the end: merge with the preceding frame.
            let begun = start - last.centiseconds * 10
            slots.append(Slot(last.frame, from: begun, to: end))
        } else {
            slots.append(Slot(first, from: start, to: end))
        }
        (self.slots, frameCount) = (slots, index)
    }

    /// Number of the output frame that covers a source frame: the last one for frames that are dropped.
    func slot(of frame: Int) -> Int {
        max(0, (slots.firstIndex { $0.frame > frame } ?? slots.count) - 1)
    }

    var milliseconds: Int { slots.reduce(0) { $0 + $1.centiseconds * 10 } }
}
