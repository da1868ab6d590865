import Logging
import Synchronization

/// Logs an outage of the broker in two lines, however many connections it ends and however long it
/// takes.
final class OutageLog: Sendable {
    private struct State {
        var lost: Set<ObjectIdentifier> = []
        var begin: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    /// Notes that a link has no connection.
    func lost(_ link: ObjectIdentifier, _ error: BrokerError, _ logger: Logger) {
        let isFirst = state.withLock { state in
            state.lost.insert(link)
            guard state.begin == nil else { return false }
            state.begin = .now
            return true
        }
        guard isFirst else { return }
        logger.warning("broker lost", metadata: ["reason": "\(error.reason)"])
    }

    /// Notes that a link has a connection again.
    func connected(_ link: ObjectIdentifier, to node: String, _ logger: Logger) {
        let begin: ContinuousClock.Instant? = state.withLock { state in
            state.lost.remove(link)
            guard state.lost.isEmpty else { return nil }
            defer { state.begin = nil }
            return state.begin
        }
        guard let begin else { return }
        let seconds = Int(begin.duration(to: .now) / .seconds(1))
        logger.notice(
            "broker connected again", metadata: ["node": "\(node)", "seconds": "\(seconds)"])
    }

    /// Forgets a link that ended.
    func ended(_ link: ObjectIdentifier) { state.withLock { _ = $0.lost.remove(link) } }
}
