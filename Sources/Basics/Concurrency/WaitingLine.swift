/// Requests that wait for a scarce resource, each with an optional deadline.
///
/// Requests of one lane are served in order of arrival. Lanes take turns, so that many requests of
/// one do not delay another's. A request ends when it is granted or refused, at its deadline, and
/// when its task is cancelled; no memory of it is left then. The caller gives a grant back by
/// ``update(_:)``.
public final class WaitingLine<Resource: WaitingResource>: Sendable {
    /// The end of a request that got nothing.
    public typealias Failure = WaitingFailure<Resource.Refusal>

    private let state: Lock<WaitingState<Resource>>

    /// Creates a line for a resource that is free.
    public init(_ resource: Resource) { state = Lock(WaitingState(resource)) }

    /// Number of waiting requests.
    public var count: Int { state.withLock { $0.count } }

    /// Waits for a grant.
    ///
    /// - Parameters:
    ///   - request: The demand on the resource.
    ///   - deadline: The latest time of the grant; nil for none.
    ///   - isCancellable: False to wait on when the task is cancelled. The default is true.
    /// - Returns: The grant, also if the task is cancelled at the same time.
    /// - Throws: The resource's refusal, `late` at the deadline, or `cancelled`.
    public func take(
        _ request: Resource.Request, until deadline: ContinuousClock.Instant? = nil,
        isCancellable: Bool = true
    ) async throws(Failure) -> Resource.Grant {
        if isCancellable, Task.isCancelled { throw .cancelled }
        let (number, known, served) = state.withLock { $0.begin(request) }
        end(served)
        if let known { return try known.get() }
        // Only for requests that wait: the timer's thread cannot start in a sandboxed worker.
        let timer = deadline.map { deadline in
            Deadline(at: deadline) { [weak self] in self?.withdraw(number, .late) }
        }
        defer { timer?.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = WaitingState<Resource>.Waiter(
                    request: request, continuation: continuation)
                let (known, served) = state.withLock { $0.join(number, waiter) }
                end(served)
                if let known { return continuation.resume(returning: known) }
                // Either may have happened before the request joined the line.
                if isCancellable, Task.isCancelled { withdraw(number, .cancelled) }
                if timer?.hasPassed == true { withdraw(number, .late) }
            }
        } onCancel: {
            if isCancellable { withdraw(number, .cancelled) }
        }
        return try outcome.get()
    }

    /// Changes the resource, such as when a grant is given back, and serves waiting requests.
    @discardableResult
    public func update<Value: Sendable>(_ change: (inout Resource) -> Value) -> Value {
        let (value, served) = state.withLock { state in
            let value = change(&state.resource)
            return (value, state.serve())
        }
        end(served)
        return value
    }

    /// Reads the resource.
    public func read<Value: Sendable>(_ body: (Resource) -> Value) -> Value {
        state.withLock { body($0.resource) }
    }

    private func withdraw(_ number: UInt64, _ failure: Failure) {
        let (withdrawn, served) = state.withLock { state in
            let withdrawn = state.remove(number)
            // Later requests of its lane may need less.
            return (withdrawn, withdrawn == nil ? [] : state.serve())
        }
        withdrawn?.continuation.resume(returning: .failure(failure))
        end(served)
    }

    private func end(_ served: [WaitingState<Resource>.Served]) {
        for (waiter, outcome) in served { waiter.continuation.resume(returning: outcome) }
    }
}

/// The lanes of a ``WaitingLine`` with its resource.
private struct WaitingState<Resource: WaitingResource>: Sendable {
    typealias Outcome = Result<Resource.Grant, WaitingFailure<Resource.Refusal>>

    struct Waiter: Sendable {
        let request: Resource.Request
        let continuation: CheckedContinuation<Outcome, Never>
    }

    /// A request that no longer waits.
    typealias Served = (Waiter, Outcome)

    /// Numbers of requests in order of arrival; withdrawn numbers stay for a while.
    private struct Requests: Sendable {
        var numbers = FIFO<UInt64>()
        /// Number of requests that still wait; never 0.
        var waiting = 0
    }

    var resource: Resource
    private var waiters: [UInt64: Waiter] = [:]
    private var lanes: [Resource.Lane: Requests] = [:]
    /// Lanes in the order of their turns, each once.
    private var turns = FIFO<Resource.Lane>()
    private var last: UInt64 = 0

    init(_ resource: Resource) { self.resource = resource }

    var count: Int { waiters.count }

    /// The number of a new request, and its outcome unless it has to wait.
    mutating func begin(
        _ request: Resource.Request
    ) -> (number: UInt64, known: Outcome?, served: [Served]) {
        last += 1
        let (known, served) = answerAtOnce(request)
        return (last, known, served)
    }

    /// The outcome of a request that need not wait after all; nil once it waits.
    mutating func join(
        _ number: UInt64, _ waiter: Waiter
    ) -> (known: Outcome?, served: [Served]) {
        let (known, served) = answerAtOnce(waiter.request)
        if known != nil { return (known, served) }
        if let refusal = resource.join(waiter.request) {
            return (.failure(.refused(refusal)), [])
        }
        waiters[number] = waiter
        let lane = resource.lane(of: waiter.request)
        if lanes[lane] == nil { turns.append(lane) }
        lanes[lane, default: Requests()].numbers.append(number)
        lanes[lane, default: Requests()].waiting += 1
        return (nil, [])
    }

    /// The outcome of a request of an empty lane, unless it has to wait.
    private mutating func answerAtOnce(
        _ request: Resource.Request
    ) -> (known: Outcome?, served: [Served]) {
        guard lanes[resource.lane(of: request)] == nil else { return (nil, []) }
        switch resource.answer(request) {
        // One lane may take from the resource what another lane waits for.
        case .granted(let grant): return (.success(grant), waiters.isEmpty ? [] : serve())
        case .refused(let refusal): return (.failure(.refused(refusal)), [])
        case .laneWaits, .allWait: return (nil, [])
        }
    }

    /// Removes a request that waits no longer.
    mutating func remove(_ number: UInt64) -> Waiter? {
        guard let waiter = waiters[number] else { return nil }
        let name = resource.lane(of: waiter.request)
        end(number, waiter, in: name)
        if lanes[name] == nil { turns.removeAll { $0 == name } }
        return waiter
    }

    private mutating func end(_ number: UInt64, _ waiter: Waiter, in name: Resource.Lane) {
        waiters[number] = nil
        resource.leave(waiter.request)
        guard var lane = lanes.removeValue(forKey: name) else { return }
        lane.waiting -= 1
        guard lane.waiting > 0 else { return }
        // Keeps about as many withdrawn numbers as waiting ones, at most.
        if lane.numbers.count > 2 * lane.waiting + 16 {
            lane.numbers.removeAll { waiters[$0] == nil }
        }
        lanes[name] = lane
    }

    /// Serves lanes in turns until no request can be granted; returns those that end.
    mutating func serve() -> [Served] {
        var served: [Served] = []
        var skipped = 0
        while skipped < turns.count, let lane = turns.first, let number = first(of: lane),
            let waiter = waiters[number]
        {
            let outcome: Outcome
            switch resource.answer(waiter.request) {
            case .granted(let grant): outcome = .success(grant)
            case .refused(let refusal): outcome = .failure(.refused(refusal))
            case .laneWaits:
                turns.rotate()
                skipped += 1
                continue
            case .allWait: return served
            }
            skipped = 0
            turns.removeFirst()
            end(number, waiter, in: lane)
            if lanes[lane] != nil { turns.append(lane) }
            served.append((waiter, outcome))
        }
        return served
    }

    /// The first request of a lane that still waits.
    private mutating func first(of lane: Resource.Lane) -> UInt64? {
        while let number = lanes[lane]?.numbers.first {
            if waiters[number] != nil { return number }
            lanes[lane]?.numbers.removeFirst()
        }
        return nil
    }
}
