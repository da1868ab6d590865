import AttachmentContainer
import AttachmentModel
import Foundation

/// Progress of a batch: a bar on a terminal, and one line per file if it is verbose.
struct BatchProgress {
    /// The amount of text on standard error.
    enum Detail {
        case quiet, normal, verbose
    }

    /// Nil if the number of files is unknown.
    private let total: Int?
    private let isInteractive: Bool
    private let detail: Detail
    private let bar: ProgressBar
    private var finished = 0
    private var failed = 0

    init(total: Int?, _ detail: Detail, isInteractive: Bool = Terminal.isInteractive) {
        self.total = total
        self.detail = detail
        self.isInteractive = isInteractive && detail != .quiet
        bar = ProgressBar(total: total ?? 0)
        draw()
    }

    mutating func advance(_ result: BatchResult) {
        finished += 1
        if let error = result.failure {
            failed += 1
            if isInteractive || detail == .verbose { printLine("failed: \(error.message)") }
        } else if detail == .verbose {
            printLine(Self.line(for: result))
        }
        draw()
    }

    func finish() { erase() }

    private func printLine(_ line: String) {
        erase()
        let place = total.map { "\(finished)/\($0)" } ?? "\(finished)"
        Terminal.complain(isInteractive ? line : "[\(place)] \(line)")
    }

    private func erase() {
        if isInteractive { bar.erase() }
    }

    private func draw() {
        if isInteractive { bar.draw(finished, note: failed > 0 ? "  \(failed) failed" : "") }
    }

    private static func line(for result: BatchResult) -> String {
        let name = result.name
        switch result.outcome {
        case .done(let done):
            let made = done.manifest.rendition(.expanded) ?? done.manifest.attachment
            let facts = ([result.bytes.description] + (made?.facts ?? [])).joined(
                separator: ", ")
            return "\(done.work.rawValue): \(name) (\(facts))"
        case .notPicture: return "not a picture: \(name)"
        case .failed(let error), .unreadableFolder(let error): return "failed: \(error.message)"
        }
    }
}

extension Duration {
    var inSeconds: Double { self / .seconds(1) }
}

extension Double {
    /// A number of seconds as `m:ss`.
    var clockTime: String {
        let seconds = Int(self.rounded(.up))
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }
}
