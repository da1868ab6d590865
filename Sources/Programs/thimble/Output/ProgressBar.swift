import AttachmentContainer

/// A bar with rate and remaining time, redrawn in place on a terminal.
struct ProgressBar {
    private let total: Int
    private let start = ContinuousClock.now

    init(total: Int) { self.total = total }

    /// Redraws the bar.
    ///
    /// `skipped` items took no time and do not count toward the rate.
    func draw(_ finished: Int, skipped: Int = 0, note: String = "") {
        guard total > 0 else { return }
        let seconds = start.duration(to: .now).inSeconds
        let rate = seconds > 0 ? Double(finished - skipped) / seconds : 0
        var text = " \(finished)/\(total)  \(rate.fixed(1))/s"
        if finished > skipped {
            text += "  \((Double(total - finished) / max(rate, 0.001)).clockTime) left"
        }
        text += note
        let room = max(10, min(40, Terminal.columns - text.count - 3))
        let filled = room * finished / total
        let bar =
            String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
        Terminal.redraw(bar + text)
    }

    func erase() { Terminal.erase() }
}
