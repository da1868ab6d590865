import AttachmentContainer

/// Fetches in progress, one for each key however many callers wait for it.
final class FlightBoard<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, FetchError>

    private struct Flight {
        let number: Int
        var task: Task<Void, Never>?
        var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    }

    private struct State {
        var flights: [ContentDigest: Flight] = [:]
        var last = 0

        mutating func next() -> Int {
            last += 1
            return last
        }
    }

    private let state = Lock(State())

    /// Waits for the flight of a key, which `work` begins if there is none.
    ///
    /// A caller that is cancelled or late leaves; the last one that leaves ends the flight.
    func join(
        _ key: ContentDigest, host: String, until deadline: ContinuousClock.Instant?,
        _ work: @escaping @Sendable () async -> Outcome
    ) async throws(FetchError) -> Value {
        let caller = state.withLock { $0.next() }
        let leave = { @Sendable [self] (code: FetchError.Code, reason: String) in
            self.leave(key, caller, FetchError(code, host: host, reason: reason))
        }
        let late = "the file was not fetched before the deadline"
        let timer = deadline.map { deadline in
            Deadline(at: deadline) { leave(.late, late) }
        }
        defer { timer?.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(key, caller, continuation, work)
                // Both may have happened before the caller entered.
                if Task.isCancelled { leave(.cancelled, "it was cancelled") }
                if timer?.hasPassed == true { leave(.late, late) }
            }
        } onCancel: {
            leave(.cancelled, "it was cancelled")
        }
        return try outcome.get()
    }

    private func enter(
        _ key: ContentDigest, _ caller: Int, _ continuation: CheckedContinuation<Outcome, Never>,
        _ work: @escaping @Sendable () async -> Outcome
    ) {
        state.withLock { state in
            guard state.flights[key] == nil else {
                state.flights[key]?.waiting[caller] = continuation
                return
            }
            var flight = Flight(number: state.next())
            flight.waiting[caller] = continuation
            let number = flight.number
            // Ends after this lock is released, because it takes the lock itself.
            flight.task = Task { end(key, number, await work()) }
            state.flights[key] = flight
        }
    }

    private func leave(_ key: ContentDigest, _ caller: Int, _ error: FetchError) {
        let (continuation, task) = state.withLock { state in
            let continuation = state.flights[key]?.waiting.removeValue(forKey: caller)
            guard continuation != nil, state.flights[key]?.waiting.isEmpty == true else {
                return (continuation, Task<Void, Never>?.none)
            }
            // The next caller begins another flight.
            return (continuation, state.flights.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        continuation?.resume(returning: .failure(error))
    }

    private func end(_ key: ContentDigest, _ number: Int, _ outcome: Outcome) {
        let waiting = state.withLock { state in
            guard state.flights[key]?.number == number else {
                return [Int: CheckedContinuation<Outcome, Never>]()
            }
            return state.flights.removeValue(forKey: key)?.waiting ?? [:]
        }
        for continuation in waiting.values { continuation.resume(returning: outcome) }
    }
}
