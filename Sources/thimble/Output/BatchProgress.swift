import AttachmentContainer
import AttachmentIntake
import Foundation

/// Shows how far a batch is: a bar that is redrawn on a terminal, a line a file elsewhere.
struct BatchProgress {
    private let total: Int
    private let isInteractive: Bool
    private let bar: ProgressBar
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
        bar = ProgressBar(total: total)
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
        if isInteractive { bar.erase() }
    }

    private func draw() {
        if isInteractive { bar.draw(finished, note: failed > 0 ? "  \(failed) failed" : "") }
    }

    private static func line(for result: FolderBatch.Result) -> String {
        let name = result.item.identifier
        switch result.outcome {
        case .done(let done):
            let made = done.manifest.rendition(.expanded) ?? done.manifest.rendition(.media)
            let facts = ([result.item.bytes.description] + (made?.facts ?? [])).joined(
                separator: ", ")
            return "\(done.work.rawValue): \(name) (\(facts))"
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
    var tenths: String { String(format: "%.1f", self) }

    /// A number of seconds as `m:ss`.
    var clockTime: String {
        let seconds = Int(self.rounded(.up))
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }
}
