import AttachmentContainer
import AttachmentPlanning
import Synchronization

/// Grants bytes of one process's work budget to the attachments that are under way in it.
///
/// Grants are given in the order in which they were asked for: a large attachment waits until
/// enough is free, and those behind it wait with it, so that it is never passed over for ever.
final class MemoryLedger: Sendable {
    /// Why a grant was not given.
    enum Refusal: Error, Hashable {
        /// It can never fit.
        case tooMuch
        /// The deadline came first.
        case deadline
        /// The task was cancelled.
        case cancelled
    }

    private struct Waiter {
        let bytes: Int
        let continuation: CheckedContinuation<Result<Void, Refusal>, Never>
    }

    private struct State {
        var granted = 0
        /// How many there were since the start.
        var grants = 0
        var holders = 0
        var baseline = ByteCount(0)
        var next = 0
        var waiting: [(ticket: Int, waiter: Waiter)] = []
        /// Every ticket that waits for its answer, with its refusal if that came before it queued.
        var unanswered: [Int: Refusal?] = [:]
    }

    private let cap: MemoryCap
    private let reserve: ByteCount
    private let footprint: @Sendable () -> ByteCount
    /// The footprint before the first attachment.
    private let cold: ByteCount
    private let state = Mutex(State())

    /// Makes a ledger.
    ///
    /// - Parameters:
    ///   - cap: The footprint that the process must never reach.
    ///   - reserve: What is left unused.
    ///   - footprint: Reads the footprint of the process.
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

    /// The budget of the process; its baseline is of when nothing was last under way.
    var budget: MemoryBudget {
        state.withLock { state in
            if state.holders == 0 {
                state.baseline = MemoryBudget.baseline(idle: footprint(), cold: cold)
            }
            return MemoryBudget(
                cap: cap, baseline: state.baseline, reserve: reserve,
                isCold: state.grants == 0)
        }
    }

    /// How many attachments wait for a grant.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Waits for a grant, runs the work and gives the grant back.
    ///
    /// - Parameters:
    ///   - bytes: What the work takes at most.
    ///   - budget: The budget that the work was planned for.
    ///   - deadline: When waiting is of no use any more; nil for never.
    ///   - work: The work; it gets the grant, which ends with it.
    /// - Returns: What the work gives.
    /// - Throws: `Refusal` when there is no grant.
    func withGrant<Value: Sendable>(
        _ bytes: ByteCount, of budget: MemoryBudget, until deadline: ContinuousClock.Instant?,
        _ work: (Grant) async -> Value
    ) async throws(Refusal) -> Value {
        guard bytes <= budget.work else { throw .tooMuch }
        try await take(bytes.bytes, until: deadline)
        let grant = Grant(of: self)
        let value = await work(grant)
        giveBack(bytes.bytes + grant.added.bytes)
        return value
    }

    /// Takes more for work that is under way, if it is free.
    fileprivate func enlarge(by bytes: Int) -> Bool {
        state.withLock { state in
            guard inUse(state) + bytes <= room(state) else { return false }
            state.granted += bytes
            return true
        }
    }

    private func take(
        _ bytes: Int, until deadline: ContinuousClock.Instant?
    ) async throws(Refusal) {
        // Waiting takes a timer, and so a thread, which a sandboxed worker cannot start.
        if !Task.isCancelled, takeAtOnce(bytes) { return }
        let ticket = state.withLock { state in
            state.next += 1
            state.unanswered[state.next] = .some(nil)
            return state.next
        }
        let timer = deadline.map { deadline in
            Task {
                try await Task.sleep(until: deadline, clock: .continuous)
                withdraw(ticket, .deadline)
            }
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

    /// Takes bytes that are free while nobody waits.
    private func takeAtOnce(_ bytes: Int) -> Bool {
        state.withLock { state in
            guard state.waiting.isEmpty, fits(bytes, state) else { return false }
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

    private func withdraw(_ ticket: Int, _ refusal: Refusal) {
        let waiter = state.withLock { state -> Waiter? in
            guard let place = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
                if state.unanswered[ticket] != nil { state.unanswered[ticket] = refusal }
                return nil
            }
            return state.waiting.remove(at: place).waiter
        }
        waiter?.continuation.resume(returning: .failure(refusal))
        grantWaiting()
    }

    private func giveBack(_ bytes: Int) {
        state.withLock { state in
            state.granted -= bytes
            state.holders -= 1
        }
        grantWaiting()
    }

    /// Grants in order for as long as the first in the queue fits beside what is granted; alone it
    /// always does, since what could never fit is refused before it waits.
    private func grantWaiting() {
        let granted = state.withLock { state -> [Waiter] in
            var granted: [Waiter] = []
            while let first = state.waiting.first?.waiter, fits(first.bytes, state) {
                grant(first.bytes, &state)
                granted.append(first)
                state.waiting.removeFirst()
            }
            return granted
        }
        for waiter in granted { waiter.continuation.resume(returning: .success(())) }
    }

    private func fits(_ bytes: Int, _ state: State) -> Bool {
        state.holders == 0 || inUse(state) + bytes <= room(state)
    }

    private func grant(_ bytes: Int, _ state: inout State) {
        state.granted += bytes
        state.holders += 1
        state.grants += 1
    }

    /// What attachments may take together.
    private func room(_ state: State) -> Int {
        MemoryBudget(cap: cap, baseline: state.baseline, reserve: reserve).work.bytes
    }

    /// What they may have taken.
    ///
    /// What allocators keep back of work that is over is in the footprint all the same.
    private func inUse(_ state: State) -> Int {
        max(state.granted, footprint().bytes - state.baseline.bytes)
    }
}

extension MemoryLedger {
    /// What one attachment was granted.
    final class Grant: Sendable {
        private let ledger: MemoryLedger
        private let enlarged = Mutex(0)

        fileprivate init(of ledger: MemoryLedger) { self.ledger = ledger }

        /// What was added to it.
        var added: ByteCount { ByteCount(enlarged.withLock { $0 }) }

        /// Asks for room for a step that no plan counts, since few attachments need it; what such
        /// steps were given before is used again.
        ///
        /// - Parameter bytes: What the step takes beside the plan.
        /// - Returns: Whether there is room; the step must not run without. It never waits.
        func covers(_ bytes: ByteCount) -> Bool {
            enlarged.withLock { enlarged in
                let missing = bytes.bytes - enlarged
                guard missing > 0 else { return true }
                guard ledger.enlarge(by: missing) else { return false }
                enlarged += missing
                return true
            }
        }
    }
}
