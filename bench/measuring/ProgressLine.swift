import Foundation

/// Progress on standard error: a bar on a terminal, else ten lines.
package struct ProgressLine: Sendable {
    private let total: Int
    private let start = ContinuousClock.now
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var shown = 0

    package init(total: Int) { self.total = total }

    /// Shows the progress if it has changed visibly.
    package mutating func show(_ finished: Int) {
        let steps = isTerminal ? 200 : 10
        let step = finished * steps / max(1, total)
        guard step > shown else { return }
        shown = step
        let seconds = start.duration(to: .now) / .seconds(1)
        let rate = Double(finished) / max(seconds, 0.001)
        let left = Duration.seconds(Double(total - finished) / max(rate, 0.001))
        let text =
            "\(finished)/\(total)  \(Int(rate))/s  "
            + left.formatted(.time(pattern: .minuteSecond)) + " left"
        guard isTerminal else { return write(text + "\n") }
        let filled = 40 * finished / total
        write(
            "\r" + String(repeating: "█", count: filled)
                + String(repeating: "░", count: 40 - filled) + " \(text)\u{1B}[K")
    }

    package func erase() { if isTerminal { write("\r\u{1B}[K") } }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
