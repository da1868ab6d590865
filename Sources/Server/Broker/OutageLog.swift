import AttachmentContainer
import Logging
import Synchronization

/// Logs an outage of the broker in two lines, however many connections it ends and however long it
/// takes.
///
/// A node that has just started may lose connections again before all its queues can be used. The
/// outage is over once all connections have held for a while.
final class OutageLog: Sendable {
    private struct State {
        var lost: Set<ObjectIdentifier> = []
        var begin: ContinuousClock.Instant?
        /// The line about the end; nil while a link has no connection.
        var end: Deadline?
    }

    private let settling: Duration
    private let state = Mutex(State())

    /// - Parameter settling: Time for which all connections hold before an outage counts as over.
    init(settling: Duration = .seconds(5)) { self.settling = settling }

    /// Notes that a link has no connection.
    func lost(_ link: ObjectIdentifier, _ error: BrokerError, _ logger: Logger) {
        let isFirst = state.withLock { state in
            state.lost.insert(link)
            state.end?.cancel()
            state.end = nil
            guard state.begin == nil else { return false }
            state.begin = .now
            return true
        }
        guard isFirst else { return }
        logger.warning("broker lost", metadata: ["reason": "\(error.reason)"])
    }

    /// Notes that a link has a connection again.
    func connected(_ link: ObjectIdentifier, to node: String, _ logger: Logger) {
        state.withLock { state in
            state.lost.remove(link)
            guard state.lost.isEmpty, state.end == nil, let begin = state.begin else { return }
            let seconds = Int(begin.duration(to: .now) / .seconds(1))
            state.end = Deadline(at: .now + settling) { [weak self] in
                guard let self, isOver() else { return }
                logger.notice(
                    "broker connected again",
                    metadata: ["node": "\(node)", "seconds": "\(seconds)"])
            }
        }
    }

    /// Forgets a link that ended.
    func ended(_ link: ObjectIdentifier) { state.withLock { _ = $0.lost.remove(link) } }

    /// Ends the outage, unless a connection was lost while its end was due.
    private func isOver() -> Bool {
        state.withLock { state in
            guard state.end?.hasPassed == true else { return false }
            state.begin = nil
            state.end = nil
            return true
        }
    }
}
