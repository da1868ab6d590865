import AttachmentContainer
import AttachmentIntake

/// Shows how far a batch is: a bar that is redrawn on a terminal, a line a file elsewhere.
struct BatchProgress {
    private let total: Int
    private let isInteractive: Bool
    private let start = ContinuousClock.now
    private var finished = 0
    private var failed = 0

    /// Begins at nothing done.
    ///
    /// - Parameters:
    ///   - total: How many files there are.
    ///   - isInteractive: Whether lines can be redrawn.
    init(total: Int, isInteractive: Bool = Terminal.isInteractive) {
        self.total = total
        self.isInteractive = isInteractive
        draw()
    }

    /// Counts a file and shows it.
    ///
    /// - Parameter result: What became of it.
    mutating func advance(_ result: FolderBatch.Result) {
        finished += 1
        if case .failed(let error) = result.outcome {
            failed += 1
            say("failed: \(error)")
        } else if !isInteractive {
            say(Self.line(for: result))
        }
        draw()
    }

    /// Takes the bar away.
    func finish() { erase() }

    private func say(_ line: String) {
        erase()
        Terminal.complain(isInteractive ? line : "[\(finished)/\(total)] \(line)")
    }

    private func erase() {
        if isInteractive { Terminal.write("\r\u{1B}[K") }
    }

    private func draw() {
        guard isInteractive, total > 0 else { return }
        let seconds = start.duration(to: .now).inSeconds
        let rate = seconds > 0 ? Double(finished) / seconds : 0
        var text = " \(finished)/\(total)  \(rate.tenths)/s"
        if finished > 0 {
            text += "  \((Double(total - finished) / max(rate, 0.001)).clockTime) left"
        }
        if failed > 0 { text += "  \(failed) failed" }
        let room = max(10, min(40, Terminal.columns - text.count - 3))
        let filled = room * finished / total
        let bar =
            String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
        Terminal.write("\r\(bar)\(text)\u{1B}[K")
    }

    private static func line(for result: FolderBatch.Result) -> String {
        let name = result.item.identifier
        switch result.outcome {
        case .done(let done):
            let size = done.manifest.rendition(.expanded).map { ", \($0.size), \($0.bytes)" } ?? ""
            return "\(done.work.rawValue): \(name) (\(result.item.bytes)\(size))"
        case .notPicture: return "not a picture: \(name)"
        case .failed(let error): return "failed: \(error)"
        }
    }
}

extension Duration {
    /// The duration as a number of seconds.
    var inSeconds: Double { self / .seconds(1) }
}

extension Double {
    /// With one digit after the point.
    var tenths: String {
        let scaled = Int((self * 10).rounded())
        return "\(scaled / 10).\(scaled % 10)"
    }

    /// A number of seconds as `m:ss`.
    var clockTime: String {
        let seconds = Int(self.rounded(.up))
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }
}
