/// A call at a point in time, unless it is cancelled before.
///
/// One timer serves all deadlines of the process. A cancelled `Task.sleep` keeps its memory until its
/// end; a cancelled deadline leaves nothing behind.
///
/// A deadline may pass before its owner waits. The owner checks ``hasPassed`` once it waits.
public struct Deadline: Sendable {
    /// The point in time.
    public let instant: ContinuousClock.Instant
    private let number: UInt64

    /// Schedules a call.
    ///
    /// - Parameters:
    ///   - instant: The point in time; one in the past is due at once.
    ///   - mayBlock: True for an action that runs code of others; it gets a thread of its own. The
    ///     default is false: the timer's thread, which all deadlines share.
    ///   - action: Called once.
    public init(
        at instant: ContinuousClock.Instant, mayBlock: Bool = false,
        _ action: @escaping @Sendable () -> Void
    ) {
        self.instant = instant
        number = DeadlineTimer.process.add(instant, mayBlock: mayBlock, action)
    }

    /// True once the point in time is over.
    public var hasPassed: Bool { instant <= .now }

    /// Withdraws the call; has no effect once it is due.
    public func cancel() { DeadlineTimer.process.remove(number) }

    /// Suspends until a point in time.
    ///
    /// - Throws: `CancellationError` at once when the task is cancelled.
    public static func sleep(
        until instant: ContinuousClock.Instant
    ) async throws(CancellationError) {
        let sleeper = Sleeper()
        let deadline = Deadline(at: instant) { sleeper.wake() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper.wait($0) }
        } onCancel: {
            sleeper.wake()
        }
        deadline.cancel()
        if Task.isCancelled { throw CancellationError() }
    }

    /// Suspends for a duration.
    ///
    /// - Throws: `CancellationError` at once when the task is cancelled.
    public static func sleep(for duration: Duration) async throws(CancellationError) {
        try await sleep(until: .now + duration)
    }
}

/// A suspended task, woken once.
private final class Sleeper: Sendable {
    private enum State {
        case awake
        case asleep(CheckedContinuation<Void, Never>)
        case over
    }

    private let state = Lock(State.awake)

    func wait(_ continuation: CheckedContinuation<Void, Never>) {
        let isOver = state.withLock { state in
            if case .over = state { return true }
            state = .asleep(continuation)
            return false
        }
        if isOver { continuation.resume() }
    }

    func wake() {
        let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state = .over }
            guard case .asleep(let continuation) = state else { return nil }
            return continuation
        }
        continuation?.resume()
    }
}
