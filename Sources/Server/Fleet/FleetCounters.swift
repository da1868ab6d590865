import AttachmentStore
import Foundation
import Logging
import Synchronization

/// Counts of a worker's jobs, and the state of its store.
package final class FleetCounters: Sendable {
    private struct State {
        var outcomes: [String: Int] = [:]
        var wait = 0.0
        var storeLostAt: ContinuousClock.Instant?
        var isEnding = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Finished jobs, by `renditions`, `known` or the code of the failure.
    package var outcomes: [String: Int] { state.withLock { $0.outcomes } }

    /// Seconds that the job received last had waited; 0 before the first.
    ///
    /// Queues are in order, so it is about the age of the oldest job while there are any.
    package var wait: Double { state.withLock { $0.wait } }

    func count(_ outcome: String) {
        state.withLock { $0.outcomes[outcome, default: 0] += 1 }
    }

    func received(_ job: FleetJob) {
        let wait = max(0, -job.enqueuedAt.timeIntervalSinceNow)
        state.withLock { $0.wait = wait }
    }

    /// True once no further attempt at the store is to be made.
    package var isEnding: Bool {
        get { state.withLock { $0.isEnding } }
        set { state.withLock { $0.isEnding = newValue } }
    }

    /// Logs the first failure of several.
    func storeFailed(_ error: StoreError, _ logger: Logger) {
        let isFirst = state.withLock { state in
            guard state.storeLostAt == nil else { return false }
            state.storeLostAt = .now
            return true
        }
        guard isFirst else { return }
        logger.warning(
            "store lost", metadata: ["code": "\(error.code.rawValue)", "reason": "\(error.reason)"])
    }

    func storeAnswered(_ logger: Logger) {
        let begin = state.withLock { state in
            defer { state.storeLostAt = nil }
            return state.storeLostAt
        }
        guard let begin else { return }
        logger.notice(
            "store answers again",
            metadata: ["seconds": "\(Int(begin.duration(to: .now) / .seconds(1)))"])
    }
}
