/// Which frames are shown, and for how long.
struct FrameSchedule: Hashable, Sendable {
    /// A frame that is shown.
    struct Slot: Hashable, Sendable {
        /// Its number in the animation, from 0.
        let frame: Int
        /// How long it is shown, in hundredths of a second, which is what a GIF counts.
        let centiseconds: Int
    }

    /// The frames that are shown, in order; at least one.
    let slots: [Slot]
    /// How many of the animation's frames are shown or stood for by another.
    let frameCount: Int

    /// The shortest that a frame can be shown, in thousandths of a second: viewers make a tenth of a
    /// second of less.
    private static let shortest = 20

    /// Takes every so-manieth frame, which stands for those that follow it.
    ///
    /// Frames that are too short for a GIF are stood for by the one before in any case. The time of
    /// all is kept: it is rounded from the beginning on, so that no error adds up.
    ///
    /// - Parameters:
    ///   - delays: How long each frame is shown, in thousandths of a second; at least one.
    ///   - stride: How many frames one stands for, at least 1.
    ///   - limit: Frames that begin later than this are cut off, in thousandths of a second.
    init(_ delays: [Int], stride: Int, until limit: Int) {
        var slots: [Slot] = []
        // When the frame under way began, and when those that were gone through end.
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
            // What is too short at the end is stood for by the one before.
            let begun = start - last.centiseconds * 10
            slots.append(Slot(last.frame, from: begun, to: end))
        } else {
            slots.append(Slot(first, from: start, to: end))
        }
        (self.slots, frameCount) = (slots, index)
    }

    /// How long all of them are shown, in thousandths of a second.
    var milliseconds: Int { slots.reduce(0) { $0 + $1.centiseconds * 10 } }
}

extension FrameSchedule.Slot {
    /// Rounds the beginning and the end of a frame.
    fileprivate init(_ frame: Int, from start: Int, to end: Int) {
        self.init(frame: frame, centiseconds: max(2, (end + 5) / 10 - (start + 5) / 10))
    }
}
