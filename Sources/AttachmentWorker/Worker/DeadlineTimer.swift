import AttachmentContainer

/// Calls a function when a deadline passes; one deadline at a time.
///
/// A cancelled `Task.sleep` keeps its memory until its time is over. A timer that is started again
/// and again, for deadlines that are rarely reached, therefore sleeps on and then continues with the
/// latest deadline.
final class DeadlineTimer: Sendable {
    private struct State {
        var deadline: ContinuousClock.Instant?
        var expire: (@Sendable () -> Void)?
        /// When the sleeping task wakes; tasks for other times are obsolete.
        var wake: ContinuousClock.Instant?

        /// The time for another sleeping task, if one is needed.
        mutating func nextWake() -> ContinuousClock.Instant? {
            guard let deadline, wake.map({ deadline < $0 }) ?? true else { return nil }
            wake = deadline
            return deadline
        }
    }

    private let state = Lock(State())

    func start(until deadline: ContinuousClock.Instant, _ expire: @escaping @Sendable () -> Void) {
        let wake = state.withLock { state in
            state.deadline = deadline
            state.expire = expire
            return state.nextWake()
        }
        if let wake { sleep(until: wake) }
    }

    func stop() {
        state.withLock { state in
            state.deadline = nil
            state.expire = nil
        }
    }

    private func sleep(until wake: ContinuousClock.Instant) {
        Task { [weak self] in
            try? await Task.sleep(until: wake, clock: .continuous)
            self?.awake(at: wake)
        }
    }

    private func awake(at wake: ContinuousClock.Instant) {
        let (expire, next) = state.withLock { state in
            guard state.wake == wake else {
                return (nil as (@Sendable () -> Void)?, nil as ContinuousClock.Instant?)
            }
            state.wake = nil
            guard let deadline = state.deadline, deadline <= wake else {
                return (nil, state.nextWake())
            }
            defer {
                state.deadline = nil
                state.expire = nil
            }
            return (state.expire, nil)
        }
        expire?()
        if let next { sleep(until: next) }
    }
}
