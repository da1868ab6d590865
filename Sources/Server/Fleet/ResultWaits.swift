import AttachmentContainer
import Synchronization

/// Waits for results of jobs, of which several may be for the same job.
final class ResultWaits: Sendable {
    private struct Wait {
        let job: FleetJob
        var result: FleetResult?
        /// The waiting task; nil while none waits.
        var sleeper: CheckedContinuation<Void, Never>?
    }

    private struct State {
        var waits: [Int: Wait] = [:]
        var next = 0
        var isEnded = false
    }

    private let state = Mutex(State())

    var areEnded: Bool { state.withLock { $0.isEnded } }

    func begin(_ job: FleetJob) -> Int {
        state.withLock { state in
            state.next += 1
            state.waits[state.next] = Wait(job: job)
            return state.next
        }
    }

    /// True if a job of this number is waited for.
    func contains(_ job: String) -> Bool {
        state.withLock { $0.waits.values.contains { $0.job.job == job } }
    }

    func remove(_ number: Int) { state.withLock { _ = $0.waits.removeValue(forKey: number) } }

    /// The result, once it has arrived; nil at the given time, and on cancellation.
    func result(_ number: Int, until end: ContinuousClock.Instant) async -> FleetResult? {
        let deadline = Deadline(at: end) { [self] in wake { $0 == number } }
        defer { deadline.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isEnded, !Task.isCancelled, !deadline.hasPassed,
                        state.waits[number]?.result == nil
                    else { return true }
                    state.waits[number]?.sleeper = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            wake { $0 == number }
        }
        return state.withLock { $0.waits[number]?.result }
    }

    /// Hands a result to those who wait for it; the first one counts.
    func answer(_ result: FleetResult) {
        let numbers = state.withLock { state in
            let waits = state.waits.filter {
                $0.value.result == nil && result.belongs(to: $0.value.job)
            }
            let numbers = Set(waits.keys)
            for number in numbers { state.waits[number]?.result = result }
            return numbers
        }
        wake { numbers.contains($0) }
    }

    func end() {
        state.withLock { $0.isEnded = true }
        wake { _ in true }
    }

    private func wake(_ isMeant: (Int) -> Bool) {
        let sleepers = state.withLock { state in
            var sleepers: [CheckedContinuation<Void, Never>] = []
            for number in Array(state.waits.keys) where isMeant(number) {
                guard let sleeper = state.waits[number]?.sleeper else { continue }
                sleepers.append(sleeper)
                state.waits[number]?.sleeper = nil
            }
            return sleepers
        }
        sleepers.forEach { $0.resume() }
    }
}
