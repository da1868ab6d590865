import AttachmentIntake
import AttachmentPlanning
import Foundation
import Synchronization

/// A request to stop, raised from any thread or by the clock, and looked at by the one that computes.
final class Cancellation: Sendable {
    /// When the answer must be there; nil for any time.
    let deadline: ContinuousClock.Instant?
    private let raised = Atomic(false)

    /// Makes a request that is not raised.
    ///
    /// - Parameter deadline: When the answer must be there. The default is any time.
    init(deadline: ContinuousClock.Instant? = nil) { self.deadline = deadline }

    /// Whether somebody asked to stop, or the deadline passed.
    var isRequested: Bool { raised.load(ordering: .relaxed) || isOverdue }

    /// Whether an answer is of no use any more.
    var isOverdue: Bool { deadline.map { $0 <= .now } ?? false }

    /// Asks to stop; the computation ends with an error within a few rows.
    func request() { raised.store(true, ordering: .relaxed) }

    /// Whether work can end before the deadline.
    ///
    /// - Parameter time: What it takes by the estimate.
    /// - Returns: False only when a machine several times as fast could not do it either.
    func leavesTime(for time: Duration) -> Bool {
        guard let deadline else { return true }
        return time / .seconds(1)
            <= ContinuousClock.now.duration(to: deadline) / .seconds(1) * DecodingTime.margin
    }

    /// Refuses work that cannot end before the deadline.
    ///
    /// - Parameters:
    ///   - time: What it takes by the estimate.
    ///   - file: The attachment's path.
    /// - Throws: `AttachmentError` with code `late`.
    func expectTime(_ time: Duration, for file: String) throws(AttachmentError) {
        guard let deadline, !leavesTime(for: time) else { return }
        let left = max(0, ContinuousClock.now.duration(to: deadline) / .seconds(1))
        throw AttachmentError(
            .late, file: file,
            reason: String(
                format: "decoding it takes about %.1f s, and %.1f s are left",
                time / .seconds(1), left))
    }

    /// The error of work that was stopped.
    ///
    /// - Parameter file: The attachment's path.
    /// - Returns: `late` when it was the clock that stopped it, else `cancelled`.
    func error(for file: String) -> AttachmentError {
        raised.load(ordering: .relaxed) || !isOverdue
            ? AttachmentError(.cancelled, file: file, reason: "it was withdrawn")
            : AttachmentError(.late, file: file, reason: "it was not done before the deadline")
    }
}
