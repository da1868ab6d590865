import Synchronization

/// Work to cancel when an event occurs; work added after the event is cancelled at once.
final class CancellationList: Sendable {
    private struct State {
        var isOver = false
        var next = 0
        var cancellations: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// True from the event on.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Returns the number with which the work is removed once it is done.
    func add(_ cancel: @escaping @Sendable () -> Void) -> Int {
        let (number, isOver) = state.withLock { state in
            state.next += 1
            if !state.isOver { state.cancellations[state.next] = cancel }
            return (state.next, state.isOver)
        }
        if isOver { cancel() }
        return number
    }

    func remove(_ number: Int) {
        state.withLock { _ = $0.cancellations.removeValue(forKey: number) }
    }

    func cancelAll() {
        let cancellations = state.withLock { state in
            state.isOver = true
            defer { state.cancellations = [:] }
            return Array(state.cancellations.values)
        }
        for cancel in cancellations { cancel() }
    }
}
