import AttachmentContainer
import AttachmentModel

/// Grants bytes of the process's work budget to concurrent attachments.
///
/// Grants are first come, first served: while a large attachment waits, later ones wait behind it,
/// so it cannot starve.
final class MemoryLedger: Sendable {
    enum GrantError: Error, Hashable {
        case exceedsBudget
        /// The process has kept memory since the budget was read; the work must be planned again.
        case staleBudget
        case deadline
        case cancelled
    }

    private struct Waiter {
        let bytes: Int
        let continuation: CheckedContinuation<Result<Void, GrantError>, Never>
    }

    private struct State {
        var granted = 0
        var grants = 0
        var hasUsedVips = false
        var holders = 0
        /// The footprint when the process was last seen idle.
        var baseline = ByteCount(0)
        /// Bytes of the grants released since then.
        var released = 0
        var next = 0
        var waiting: [(ticket: Int, waiter: Waiter)] = []
        /// Refusals by unanswered ticket; non-nil if the refusal preceded queueing.
        var unanswered: [Int: GrantError?] = [:]
    }

    private let cap: MemoryCap
    private let reserve: ByteCount
    private let footprint: @Sendable () -> ByteCount
    /// The footprint before the first attachment.
    private let cold: ByteCount
    private let state = Lock(State())

    init(
        cap: MemoryCap, reserve: ByteCount = MemoryBudget.defaultReserve,
        footprint: @escaping @Sendable () -> ByteCount
    ) {
        self.cap = cap
        self.reserve = reserve
        self.footprint = footprint
        cold = footprint()
        state.withLock { $0.baseline = cold }
    }

    /// The current budget; the baseline is the footprint when the process was last idle.
    var budget: MemoryBudget {
        state.withLock { state in
            if state.holders == 0 { readBaseline(&state) }
            return MemoryBudget(
                cap: cap, baseline: state.baseline, reserve: reserve, isCold: state.grants == 0,
                hasUsedVips: state.hasUsedVips)
        }
    }

    var waiting: Int { state.withLock { $0.waiting.count } }

    private func readBaseline(_ state: inout State) {
        // Reading headers, before the first grant, takes what plans count anyway.
        state.baseline = MemoryBudget.baseline(
            idle: footprint(), cold: cold, hasUsedVips: state.hasUsedVips || state.grants == 0)
        state.released = 0
    }

    /// `bytes` is the peak demand of the work, `budget` the budget that it was planned for.
    ///
    /// `beforeStills` are those of `bytes` that are released before the stills are made.
    func withGrant<Value: Sendable>(
        _ bytes: ByteCount, beforeStills: ByteCount = ByteCount(0), of budget: MemoryBudget,
        until deadline: ContinuousClock.Instant?, usesVips: Bool = true,
        _ work: (Grant) async -> Value
    ) async throws(GrantError) -> Value {
        guard bytes <= budget.work else { throw .exceedsBudget }
        try await acquire(bytes.bytes, until: deadline)
        if usesVips { state.withLock { $0.hasUsedVips = true } }
        let grant = Grant(of: self, beforeStills: beforeStills)
        let value = await work(grant)
        release(bytes.bytes + grant.added.bytes)
        return value
    }

    fileprivate func enlarge(by bytes: Int) -> Bool {
        state.withLock { state in
            guard inUse(state) + bytes <= capacity(state) else { return false }
            state.granted += bytes
            return true
        }
    }

    private func acquire(
        _ bytes: Int, until deadline: ContinuousClock.Instant?
    ) async throws(GrantError) {
        // A deadline needs the timer's thread, which a sandboxed worker cannot start.
        if !Task.isCancelled, try tryAcquire(bytes) { return }
        let ticket = state.withLock { state in
            state.next += 1
            state.unanswered[state.next] = .some(nil)
            return state.next
        }
        let timer = deadline.map { deadline in
            Deadline(at: deadline) { [self] in withdraw(ticket, .deadline) }
        }
        defer { timer?.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue(ticket, Waiter(bytes: bytes, continuation: continuation))
            }
        } onCancel: {
            withdraw(ticket, .cancelled)
        }
        state.withLock { _ = $0.unanswered.removeValue(forKey: ticket) }
        try outcome.get()
    }

    /// False if the bytes are not free before other grants or waiting requests end.
    private func tryAcquire(_ bytes: Int) throws(GrantError) -> Bool {
        try state.withLock { state throws(GrantError) in
            guard state.waiting.isEmpty else { return false }
            guard fits(bytes, &state) else {
                if state.holders == 0 { throw .staleBudget }
                return false
            }
            grant(bytes, &state)
            return true
        }
    }

    private func queue(_ ticket: Int, _ waiter: Waiter) {
        let refusal = state.withLock { state in
            let refusal = state.unanswered[ticket] ?? nil
            if refusal == nil { state.waiting.append((ticket, waiter)) }
            return refusal
        }
        if let refusal {
            waiter.continuation.resume(returning: .failure(refusal))
        } else {
            grantWaiting()
        }
    }

    private func withdraw(_ ticket: Int, _ refusal: GrantError) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
                if state.unanswered[ticket] != nil { state.unanswered[ticket] = refusal }
                return nil
            }
            return state.waiting.remove(at: index).waiter
        }
        waiter?.continuation.resume(returning: .failure(refusal))
        grantWaiting()
    }

    private func release(_ bytes: Int) {
        state.withLock { state in
            state.granted -= bytes
            state.released += bytes
            state.holders -= 1
        }
        grantWaiting()
    }

    /// Grants in order while the first waiter fits beside current grants.
    ///
    /// One that does not even fit alone is refused: since its budget was read, the process has kept
    /// memory.
    private func grantWaiting() {
        let answered = state.withLock { state -> [(Waiter, Result<Void, GrantError>)] in
            var answered: [(Waiter, Result<Void, GrantError>)] = []
            while let first = state.waiting.first?.waiter {
                if fits(first.bytes, &state) {
                    grant(first.bytes, &state)
                    answered.append((first, .success(())))
                } else if state.holders == 0 {
                    answered.append((first, .failure(.staleBudget)))
                } else {
                    break
                }
                state.waiting.removeFirst()
            }
            return answered
        }
        for (waiter, answer) in answered { waiter.continuation.resume(returning: answer) }
    }

    private func fits(_ bytes: Int, _ state: inout State) -> Bool {
        guard state.holders == 0 else { return inUse(state) + bytes <= capacity(state) }
        if state.released > 0 { readBaseline(&state) }
        return bytes <= capacity(state)
    }

    private func grant(_ bytes: Int, _ state: inout State) {
        state.granted += bytes
        state.holders += 1
        state.grants += 1
    }

    private func capacity(_ state: State) -> Int {
        MemoryBudget(cap: cap, baseline: state.baseline, reserve: reserve).work.bytes
    }

    /// Memory that grants use, may still use, or have left behind.
    ///
    /// Freed memory that the allocator still holds counts toward the footprint, and current grants
    /// may not be able to use it.
    private func inUse(_ state: State) -> Int {
        let grown = footprint().bytes - state.baseline.bytes
        return max(state.granted + max(0, min(grown, state.released)), grown)
    }
}

extension MemoryLedger {
    final class Grant: Sendable {
        private let ledger: MemoryLedger
        private let beforeStills: Int
        private let state = Lock(State())

        private struct State {
            var enlarged = 0
            /// Bytes of the grant that no step uses any more.
            var released = 0
        }

        fileprivate init(of ledger: MemoryLedger, beforeStills: ByteCount) {
            (self.ledger, self.beforeStills) = (ledger, beforeStills.bytes)
        }

        var added: ByteCount { ByteCount(state.withLock { $0.enlarged }) }

        /// Must be called before an animation is converted.
        func beginAnimation() { state.withLock { $0.released = 0 } }

        /// Leaves the bytes of a converted animation to the stills.
        func beginStills() { state.withLock { $0.released = beforeStills } }

        /// Extends the grant for a step that plans do not count because few attachments need it.
        ///
        /// Steps run one after the other, so bytes added for an earlier step count, and so do those
        /// of a finished animation. The result is false if the bytes are not free; the step must not
        /// run then. This never waits.
        func covers(_ bytes: ByteCount) -> Bool {
            state.withLock { state in
                let missing = bytes.bytes - state.enlarged - state.released
                guard missing > 0 else { return true }
                guard ledger.enlarge(by: missing) else { return false }
                state.enlarged += missing
                return true
            }
        }
    }
}
