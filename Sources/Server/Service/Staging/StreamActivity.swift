import Synchronization

/// The time of the last payload of a stream, received or answered.
///
/// White space and lines that are no payloads do not count: a client could hold the stream's place with
/// them for ever.
final class StreamActivity: Sendable {
    private let last = Mutex(ContinuousClock.now)

    /// Time since the last payload, or since the start.
    var age: Duration { last.withLock { $0.duration(to: .now) } }

    func note() { last.withLock { $0 = .now } }
}
