internal import Dispatch

/// The timer behind all deadlines, with one timer of the system and one thread.
///
/// It is independent of Swift's task threads: work that blocks them all delays no deadline.
final class DeadlineTimer: Sendable {
    /// The only one, because each would need a thread.
    static let process = DeadlineTimer()

    private struct State {
        var pending = DeadlineHeap()
        var last: UInt64 = 0
        /// The deadline that the source is set for; nil while it is not set.
        var wake: ContinuousClock.Instant?
    }

    /// Longest time between two looks at the clock: Dispatch's clock stops while the system sleeps.
    private static let longest = Duration.seconds(60)

    private let state = Lock(State())
    // Dispatch lets its sources be used from any thread, and the reference never changes.
    nonisolated(unsafe) private let source: any DispatchSourceTimer

    private init() {
        // A serial queue gets a thread even when all others are busy.
        let queue = DispatchQueue(label: "thimble.deadlines", qos: .userInitiated)
        source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        source.setEventHandler { [weak self] in self?.fire() }
        source.activate()
    }

    func add(
        _ instant: ContinuousClock.Instant, mayBlock: Bool,
        _ action: @escaping @Sendable () -> Void
    ) -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.pending.insert(
                .init(instant: instant, number: state.last, mayBlock: mayBlock, action: action))
            schedule(&state)
            return state.last
        }
    }

    func remove(_ number: UInt64) {
        // Released after the lock, since what the action holds may use deadlines itself.
        let removed = state.withLock { $0.pending.remove(number) }
        withExtendedLifetime(removed) {}
    }

    private func fire() {
        let due = state.withLock { state in
            state.wake = nil
            let due = state.pending.removeAll(until: .now)
            schedule(&state)
            return due
        }
        for entry in due {
            if entry.mayBlock {
                DispatchQueue(label: "thimble.deadline", qos: .userInitiated)
                    .async(execute: entry.action)
            } else {
                entry.action()
            }
        }
    }

    /// Sets the source unless it fires soon enough.
    private func schedule(_ state: inout State) {
        guard let next = state.pending.first, state.wake.map({ next < $0 }) ?? true else { return }
        state.wake = next
        let rest = min(max(.zero, ContinuousClock.now.duration(to: next)), Self.longest)
        source.schedule(
            deadline: .now() + .nanoseconds(Int(rest / .nanoseconds(1))), leeway: .milliseconds(1))
    }
}
