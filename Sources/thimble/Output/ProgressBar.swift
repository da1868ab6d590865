/// A bar with rate and remaining time, redrawn in place on a terminal.
struct ProgressBar {
    private let total: Int
    private let start = ContinuousClock.now

    /// Begins at nothing done.
    ///
    /// - Parameter total: How much there is to do.
    init(total: Int) { self.total = total }

    /// Draws the bar over the line that it was drawn on before.
    ///
    /// - Parameters:
    ///   - finished: How much is done.
    ///   - skipped: How much of that took no time, since it was done before. The default is 0.
    ///   - note: What stands at the end. The default is nothing.
    func draw(_ finished: Int, skipped: Int = 0, note: String = "") {
        guard total > 0 else { return }
        let seconds = start.duration(to: .now).inSeconds
        let rate = seconds > 0 ? Double(finished - skipped) / seconds : 0
        var text = " \(finished)/\(total)  \(rate.tenths)/s"
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

    /// Takes the bar away.
    func erase() { Terminal.erase() }
}
