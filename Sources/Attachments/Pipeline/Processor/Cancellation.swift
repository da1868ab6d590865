import AttachmentContainer
import AttachmentModel
import AttachmentPlanning
import Foundation

/// A cancellation flag with a deadline, set from any thread and polled by the working thread.
package final class Cancellation: Sendable {
    let deadline: ContinuousClock.Instant?
    private let raised = Lock(false)

    init(deadline: ContinuousClock.Instant? = nil) { self.deadline = deadline }

    package var isRequested: Bool { raised.withLock { $0 } || isOverdue }

    var isOverdue: Bool { deadline.map { $0 <= .now } ?? false }

    func request() { raised.withLock { $0 = true } }

    /// Returns false if not even a machine twice as fast could finish in the estimated
    /// time.
    func leavesTime(for time: Duration) -> Bool {
        guard let deadline else { return true }
        return time / .seconds(1)
            <= ContinuousClock.now.duration(to: deadline) / .seconds(1) * DecodingTime.margin
    }

    /// `work` names what takes the time.
    func requireTime(
        _ time: Duration, of work: String = "it", for file: String
    ) throws(AttachmentError) {
        guard let deadline, !leavesTime(for: time) else { return }
        let left = max(.zero, ContinuousClock.now.duration(to: deadline))
        throw AttachmentError(
            .late, file: file,
            reason: "decoding \(work) takes about \((time / .seconds(1)).fixed(1)) s, and "
                + "\((left / .seconds(1)).fixed(1)) s are left")
    }

    func error(for file: String) -> AttachmentError {
        raised.withLock { $0 } || !isOverdue
            ? .cancelled(file)
            : AttachmentError(.late, file: file, reason: "it was not done before the deadline")
    }
}
