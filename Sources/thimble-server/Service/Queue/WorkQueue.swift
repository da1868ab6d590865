import AttachmentContainer
import Synchronization

/// Places for attachments in work, and a bounded queue before them, in order of arrival.
///
/// The bound holds for number and bytes. Work that is already counted elsewhere, such as that of a
/// stream, waits outside the bound.
final class WorkQueue: Sendable {
    enum Refusal: Error {
        case full(retryAfter: Int)
        case late
        case cancelled
    }

    private struct Waiter {
        let number: Int
        let bytes: Int
        let isCounted: Bool
        let continuation: CheckedContinuation<Result<Void, Refusal>, Never>
    }

    private struct State {
        var free: Int
        var running = 0
        var waiters: [Waiter] = []
        var counted = 0
        var countedBytes = 0
        var next = 0
        /// Moving average of the seconds that work takes.
        var seconds = 0.1

        mutating func remove(at index: Int) -> Waiter {
            let waiter = waiters.remove(at: index)
            if waiter.isCounted {
                counted -= 1
                countedBytes -= waiter.bytes
            }
            return waiter
        }
    }

    private let places: Int
    private let maximum: Int
    private let maximumBytes: Int
    private let state: Mutex<State>

    init(places: Int, maximum: Int, maximumBytes: ByteCount) {
        self.places = places
        self.maximum = maximum
        self.maximumBytes = maximumBytes.bytes
        state = Mutex(State(free: places))
    }

    var depth: Int { state.withLock { $0.waiters.count } }

    var waitingBytes: Int { state.withLock { $0.countedBytes } }

    var running: Int { state.withLock { $0.running } }

    /// The problem if there is no room for one more; nil otherwise.
    var overload: Problem? {
        let wait = state.withLock { $0.counted < maximum ? nil : retryAfter($0) }
        return wait.map { .overloaded(retryAfter: $0) }
    }

    /// Waits for a place, does the work, and gives the place back.
    ///
    /// `bytes` are those held while waiting; `isCounted` is false for work that is bounded elsewhere.
    func run<Value>(
        bytes: Int, until deadline: ContinuousClock.Instant, isCounted: Bool = true,
        _ work: () async -> Value
    ) async throws(Refusal) -> Value {
        try await enter(bytes, until: deadline, isCounted)
        let start = ContinuousClock.now
        let value = await work()
        leave(after: ContinuousClock.now - start)
        return value
    }

    private func enter(
        _ bytes: Int, until deadline: ContinuousClock.Instant, _ isCounted: Bool
    ) async throws(Refusal) {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        let timer = Deadline(at: deadline) { [weak self] in self?.withdraw(number, .late) }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(
                    number: number, bytes: bytes, isCounted: isCounted,
                    continuation: continuation)
                let known = state.withLock { admit(waiter, &$0) }
                if let known { continuation.resume(returning: known) }
                // It may have passed before the waiter was in the queue.
                if timer.hasPassed { withdraw(number, .late) }
            }
        } onCancel: {
            withdraw(number, .cancelled)
        }
        try result.get()
    }

    /// Gives a place, refuses, or returns nil for a waiter that was added to the queue.
    private func admit(_ waiter: Waiter, _ state: inout State) -> Result<Void, Refusal>? {
        if Task.isCancelled { return .failure(.cancelled) }
        if state.free > 0, state.waiters.isEmpty {
            state.free -= 1
            state.running += 1
            return .success(())
        }
        if waiter.isCounted {
            guard state.counted < maximum, state.countedBytes + waiter.bytes <= maximumBytes
            else { return .failure(.full(retryAfter: retryAfter(state))) }
            state.counted += 1
            state.countedBytes += waiter.bytes
        }
        state.waiters.append(waiter)
        return nil
    }

    private func leave(after duration: Duration) {
        let next: Waiter? = state.withLock { state in
            state.seconds += (duration / .seconds(1) - state.seconds) / 16
            guard !state.waiters.isEmpty else {
                state.free += 1
                state.running -= 1
                return nil
            }
            return state.remove(at: 0)
        }
        next?.continuation.resume(returning: .success(()))
    }

    private func withdraw(_ number: Int, _ refusal: Refusal) {
        let waiter: Waiter? = state.withLock { state in
            state.waiters.firstIndex { $0.number == number }.map { state.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: .failure(refusal))
    }

    /// Seconds until half of the queue is done, from 1 to 30.
    private func retryAfter(_ state: State) -> Int {
        let seconds = state.seconds * Double(state.waiters.count) / Double(max(1, places)) / 2
        return Int(min(30, max(1, seconds.rounded(.up))))
    }
}
