/// The end of a caller's wait without a value.
package enum SharedWorkFailure: Error, Hashable {
    case late
    case cancelled
}

/// Work in progress, one for each key however many callers wait for its value.
///
/// A caller that is cancelled or late leaves; when the last one leaves, the work is cancelled. Values are
/// not kept: the next caller after the end begins the work again.
package final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The latest deadline of the callers; nil while one of them has none.
    package typealias LatestDeadline = @Sendable () -> ContinuousClock.Instant?

    private typealias Outcome = Result<Value, SharedWorkFailure>

    private struct Caller {
        let deadline: ContinuousClock.Instant?
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private struct Work {
        let number: Int
        var task: Task<Void, Never>?
        var callers: [Int: Caller] = [:]
        /// The latest deadline so far, also of callers that have left.
        var deadline: ContinuousClock.Instant?

        mutating func add(_ caller: Caller, _ number: Int) {
            deadline = callers.isEmpty ? caller.deadline : later(deadline, caller.deadline)
            callers[number] = caller
        }

        private func later(
            _ one: ContinuousClock.Instant?, _ other: ContinuousClock.Instant?
        ) -> ContinuousClock.Instant? {
            guard let one, let other else { return nil }
            return max(one, other)
        }
    }

    private struct State {
        var works: [Key: Work] = [:]
        var last = 0

        mutating func next() -> Int {
            last += 1
            return last
        }
    }

    private let state = Lock(State())

    package init() {}

    /// Number of works in progress.
    package var count: Int { state.withLock { $0.works.count } }

    /// True if a work of this key is in progress.
    package func isInProgress(_ key: Key) -> Bool { state.withLock { $0.works[key] != nil } }

    /// Waits for the value of a key.
    ///
    /// - Parameters:
    ///   - key: Callers of equal keys share one work.
    ///   - deadline: The latest time of the answer; nil for none.
    ///   - work: Makes the value unless a work of this key is in progress.
    /// - Returns: The value.
    /// - Throws: `late` at the deadline, `cancelled` when the caller's task is cancelled.
    package func value(
        of key: Key, until deadline: ContinuousClock.Instant?,
        _ work: @escaping @Sendable (@escaping LatestDeadline) async -> Value
    ) async throws(SharedWorkFailure) -> Value {
        let number = state.withLock { $0.next() }
        let timer = deadline.map { deadline in
            Deadline(at: deadline) { [self] in leave(key, number, .late) }
        }
        defer { timer?.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(key, number, Caller(deadline: deadline, continuation: continuation), work)
                // Either may have happened before the caller entered.
                if Task.isCancelled { leave(key, number, .cancelled) }
                if timer?.hasPassed == true { leave(key, number, .late) }
            }
        } onCancel: {
            leave(key, number, .cancelled)
        }
        return try outcome.get()
    }

    private func enter(
        _ key: Key, _ number: Int, _ caller: Caller,
        _ make: @escaping @Sendable (@escaping LatestDeadline) async -> Value
    ) {
        state.withLock { state in
            guard state.works[key] == nil else {
                state.works[key]?.add(caller, number)
                return
            }
            var work = Work(number: state.next())
            work.add(caller, number)
            let workNumber = work.number
            // Ends after this lock is released, because it takes the lock itself.
            work.task = Task {
                let value = await make { [self] in latestDeadline(of: key, workNumber) }
                end(key, workNumber, .success(value))
            }
            state.works[key] = work
        }
    }

    private func latestDeadline(of key: Key, _ number: Int) -> ContinuousClock.Instant? {
        state.withLock { state in
            guard let work = state.works[key], work.number == number else { return .now }
            return work.deadline
        }
    }

    private func leave(_ key: Key, _ number: Int, _ failure: SharedWorkFailure) {
        let (continuation, task) = state.withLock { state in
            let continuation = state.works[key]?.callers.removeValue(forKey: number)?.continuation
            guard continuation != nil, state.works[key]?.callers.isEmpty == true else {
                return (continuation, Task<Void, Never>?.none)
            }
            // The next caller begins another work.
            return (continuation, state.works.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        continuation?.resume(returning: .failure(failure))
    }

    private func end(_ key: Key, _ number: Int, _ outcome: Outcome) {
        let callers = state.withLock { state in
            guard state.works[key]?.number == number else { return [Int: Caller]() }
            return state.works.removeValue(forKey: key)?.callers ?? [:]
        }
        for caller in callers.values { caller.continuation.resume(returning: outcome) }
    }
}
