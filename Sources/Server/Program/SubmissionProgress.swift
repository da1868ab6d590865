import AttachmentFleet
import AttachmentService
import Foundation
import ServiceOptions

/// Progress on standard error, once a second, and the summary.
struct SubmissionProgress {
    /// The number of attachments; nil if unknown.
    private let total: Int?
    private(set) var failed = 0
    private var submitted = 0
    private var known = 0
    private let begun = ContinuousClock.now
    private var lastLine = ContinuousClock.now

    init(total: Int?) { self.total = total }

    mutating func add(_ item: FleetSubmission.Item, _ outcome: FleetSubmission.Outcome) {
        switch outcome {
        case .submitted: submitted += 1
        case .known: known += 1
        case .failed(let reason):
            failed += 1
            Serve.complain("\(item.identifier.printable): \(reason)")
        }
        guard lastLine.duration(to: .now) >= .seconds(1) else { return }
        lastLine = .now
        say(counts + timeLeft)
    }

    func finish() { say(counts) }

    private var timeLeft: String {
        let done = submitted + known + failed
        guard let total, done > 0 else { return "" }
        let seconds = begun.duration(to: .now) / .seconds(1)
        let left = seconds / Double(done) * Double(max(0, total - done))
        let time =
            left < 90 ? "\(Int(left.rounded(.up))) s" : "\(Int((left / 60).rounded())) min"
        return "; of \(total), \(time) left"
    }

    private var counts: String {
        let seconds = max(0.001, begun.duration(to: .now) / .seconds(1))
        let rate = Int(Double(submitted) / seconds)
        return "\(submitted) submitted, \(known) known, \(failed) failed; \(rate) a second"
    }

    private func say(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
