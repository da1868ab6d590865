import AttachmentContainer

/// Limits the number of transfers at once; others wait in order.
package final class TransferPlaces: Sendable {
    private struct State {
        var free: Int
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var last = 0
    }

    private let state: Lock<State>

    package init(_ count: Int) { state = Lock(State(free: count)) }

    /// Waits for a place; false if the task is cancelled meanwhile.
    package func take() async -> Bool {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state in
                    guard state.free == 0 else {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append((number, continuation))
                    return false
                }
                if isFree { continuation.resume(returning: true) }
                // The handler may have run before the caller waited.
                if Task.isCancelled { leave(number) }
            }
        } onCancel: {
            leave(number)
        }
    }

    package func giveBack() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return CheckedContinuation<Bool, Never>?.none
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }

    private func leave(_ number: Int) {
        let waiting = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        waiting?.continuation.resume(returning: false)
    }
}
