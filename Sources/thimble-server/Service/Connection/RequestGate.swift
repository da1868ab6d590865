import Synchronization

/// Limits the number of reading requests in progress; further ones wait in order of arrival.
///
/// A waiting request costs its connection's memory only, about 16 kB. One in progress costs as much
/// again for the stack of its task, and up to 48 kB of its answer. A place is given back when the
/// kernel has the whole answer.
final class RequestGate: Sendable {
    private struct State {
        var free: Int
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// Waiters before it are already resumed.
        var first = 0
    }

    private let state: Mutex<State>

    init(_ places: Int) { state = Mutex(State(free: places)) }

    /// A place, given back at the latest on deinitialisation.
    func enter() async -> Place {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiters.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
        return Place(self)
    }

    final class Place: Sendable {
        private let gate: RequestGate
        private let isHeld = Atomic(true)

        fileprivate init(_ gate: RequestGate) { self.gate = gate }

        deinit { leave() }

        func leave() {
            if isHeld.exchange(false, ordering: .relaxed) { gate.leave() }
        }
    }

    private func leave() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.first < state.waiters.count else {
                state.free += 1
                return nil
            }
            defer {
                state.first += 1
                if state.first == state.waiters.count {
                    state.waiters.removeAll(keepingCapacity: true)
                    state.first = 0
                }
            }
            return state.waiters[state.first]
        }
        next?.resume()
    }
}
