import AttachmentContainer
import AttachmentModel
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Memory ledger", .timeLimit(.minutes(1)))
struct MemoryLedgerTests {
    private let footprint: Lock<ByteCount>
    /// A ledger with a work budget of ten mebibytes at first.
    private let ledger: MemoryLedger

    init() {
        let footprint = Lock(ByteCount(10 << 20 - 512 << 10))
        self.footprint = footprint
        ledger = MemoryLedger(cap: MemoryCap(.mebibytes(20))) { footprint.withLock { $0 } }
    }

    /// Records concurrent grants and their order.
    private final class Watch: Sendable {
        private let state = Lock((held: 0, most: 0, order: [Int]()))

        var most: Int { state.withLock { $0.most } }
        var order: [Int] { state.withLock { $0.order } }

        func enter(_ number: Int, _ mebibytes: Int) {
            state.withLock { state in
                state.held += mebibytes
                state.most = max(state.most, state.held)
                state.order.append(number)
            }
        }

        func leave(_ mebibytes: Int) { state.withLock { $0.held -= mebibytes } }
    }

    /// Holds a grant until a gate opens.
    private func hold(
        _ mebibytes: Int, number: Int = 0, _ watch: Watch,
        until deadline: ContinuousClock.Instant? = nil,
        _ gate: @escaping @Sendable () async -> Void = {}
    ) async throws {
        try await ledger.withGrant(.mebibytes(mebibytes), of: ledger.budget, until: deadline) { _ in
            watch.enter(number, mebibytes)
            await gate()
            watch.leave(mebibytes)
        }
    }

    private func waitForQueue(_ count: Int) async throws {
        while ledger.waiting < count { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("Only a grant for libvips makes the process one that has used it")
    func usesVips() async throws {
        #expect(ledger.budget.isCold && !ledger.budget.hasUsedVips)
        try await ledger.withGrant(
            .mebibytes(1), of: ledger.budget, until: nil, usesVips: false
        ) { _ in }
        #expect(!ledger.budget.isCold && !ledger.budget.hasUsedVips)
        try await ledger.withGrant(.mebibytes(1), of: ledger.budget, until: nil) { _ in }
        #expect(ledger.budget.hasUsedVips)
    }

    @Test("Memory kept by codecs is part of the baseline until libvips is used")
    func grown() async throws {
        let footprint = Lock(ByteCount.mebibytes(2))
        let ledger = MemoryLedger(cap: MemoryCap(.mebibytes(24))) { footprint.withLock { $0 } }
        footprint.withLock { $0 = .mebibytes(3) }
        // Headers were read.
        #expect(ledger.budget.baseline == .mebibytes(2))
        try await ledger.withGrant(
            .mebibytes(1), of: ledger.budget, until: nil, usesVips: false
        ) { _ in }
        #expect(ledger.budget.baseline == .mebibytes(3))
        // Plans for libvips count its own megabyte.
        try await ledger.withGrant(.mebibytes(1), of: ledger.budget, until: nil) { _ in }
        #expect(ledger.budget.baseline == .mebibytes(2))
        footprint.withLock { $0 = .mebibytes(1) }
        #expect(ledger.budget.baseline == .mebibytes(2))
    }

    @Test("Concurrent grants stay within the budget, and all are served")
    func together() async throws {
        let watch = Watch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    try await hold(1 + number % 7, number: number, watch) {
                        try? await Task.sleep(for: .milliseconds(1))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(watch.most <= 10)
        #expect(watch.most >= 7)
        #expect(watch.order.count == 60)
        #expect(ledger.waiting == 0)
    }

    @Test("A request over the budget is refused at once, even while others hold grants")
    func exceedsBudget() async throws {
        let watch = Watch()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let holder = Task {
            try await hold(10, watch) { for await _ in gate { break } }
        }
        while watch.order.isEmpty { await Task.yield() }
        await #expect(throws: MemoryLedger.GrantError.exceedsBudget) { try await hold(11, watch) }
        open.yield()
        try await holder.value
    }

    @Test("A later small request does not overtake a large one")
    func fairness() async throws {
        let watch = Watch()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let first = Task { try await hold(5, number: 1, watch) { for await _ in gate { break } } }
        while watch.order.isEmpty { await Task.yield() }
        let large = Task { try await hold(9, number: 2, watch) }
        try await waitForQueue(1)
        // It fits beside the first grant, but not beside the large one.
        let small = Task { try await hold(2, number: 3, watch) }
        try await waitForQueue(2)
        open.yield()
        for task in [first, large, small] { try await task.value }
        #expect(watch.order == [1, 2, 3])
    }

    @Test("Waiting ends at the deadline, and later requests move up")
    func deadline() async throws {
        let watch = Watch()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let first = Task { try await hold(5, number: 1, watch) { for await _ in gate { break } } }
        while watch.order.isEmpty { await Task.yield() }
        let isOver = Lock(false)
        let late = Task {
            defer { isOver.withLock { $0 = true } }
            try await hold(9, watch, until: .now + .milliseconds(30))
        }
        // On a busy machine its deadline may pass before the queue is seen.
        while ledger.waiting < 1, !isOver.withLock(\.self) {
            try await Task.sleep(for: .milliseconds(1))
        }
        let small = Task { try await hold(1, number: 3, watch) }
        await #expect(throws: MemoryLedger.GrantError.deadline) { try await late.value }
        try await small.value
        open.yield()
        try await first.value
        #expect(watch.order == [1, 3])
    }

    @Test("Waiting ends when the task is cancelled, before or after waiting began")
    func cancellation() async throws {
        let watch = Watch()
        let (gate, open) = AsyncStream<Void>.makeStream()
        let first = Task { try await hold(10, watch) { for await _ in gate { break } } }
        while watch.order.isEmpty { await Task.yield() }
        let waiting = Task { try await hold(1, watch) }
        try await waitForQueue(1)
        waiting.cancel()
        await #expect(throws: MemoryLedger.GrantError.cancelled) { try await waiting.value }
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await hold(1, watch)
        }
        await #expect(throws: MemoryLedger.GrantError.cancelled) { try await early.value }
        open.yield()
        try await first.value
        #expect(watch.order.count == 1)
    }

    @Test("An unplanned step gets free bytes without waiting, and releases them")
    func enlarging() async throws {
        let budget = ledger.budget
        try await ledger.withGrant(.mebibytes(6), of: budget, until: nil) { grant in
            #expect(!grant.covers(.mebibytes(5)))
            #expect(grant.added == .mebibytes(0))
            #expect(grant.covers(.mebibytes(3)))
            // Bytes granted earlier count.
            #expect(grant.covers(.mebibytes(3)) && grant.covers(.mebibytes(4)))
            #expect(grant.added == .mebibytes(4))
            #expect(!grant.covers(.mebibytes(5)))
        }
        try await ledger.withGrant(.mebibytes(1), of: budget, until: nil) { grant in
            #expect(grant.covers(.mebibytes(9)))
        }
    }

    @Test("The bytes of a finished animation count for the stills")
    func animation() async throws {
        try await ledger.withGrant(
            .mebibytes(9), beforeStills: .mebibytes(5), of: ledger.budget, until: nil
        ) { grant in
            #expect(!grant.covers(.mebibytes(2)))
            grant.beginStills()
            #expect(grant.covers(.mebibytes(5)))
            #expect(grant.added == .mebibytes(0))
            #expect(grant.covers(.mebibytes(6)))
            #expect(grant.added == .mebibytes(1))
            #expect(!grant.covers(.mebibytes(7)))
            grant.beginAnimation()
            #expect(!grant.covers(.mebibytes(2)))
        }
    }

    @Test("Work whose budget has shrunk while it waited is planned again")
    func shrunkWhileWaiting() async throws {
        let budget = ledger.budget
        let (gate, open) = AsyncStream<Void>.makeStream()
        async let first: Void = ledger.withGrant(.mebibytes(6), of: budget, until: nil) { _ in
            for await _ in gate { break }
            footprint.withLock { $0 = .mebibytes(14) }
        }
        while ledger.budget.isCold { await Task.yield() }
        let waiting = Task {
            try await ledger.withGrant(.mebibytes(8), of: budget, until: nil) { _ in }
        }
        try await waitForQueue(1)
        open.yield()
        try await first
        await #expect(throws: MemoryLedger.GrantError.staleBudget) { try await waiting.value }
        // The fresh budget says what is left.
        #expect(ledger.budget.work < .mebibytes(8))
        try await ledger.withGrant(ledger.budget.work, of: ledger.budget, until: nil) { _ in }
    }

    @Test("Work whose budget has shrunk before it asked is planned again")
    func shrunkBeforeAsking() async throws {
        let budget = ledger.budget
        try await ledger.withGrant(.mebibytes(6), of: budget, until: nil) { _ in
            footprint.withLock { $0 = .mebibytes(14) }
        }
        await #expect(throws: MemoryLedger.GrantError.staleBudget) {
            try await ledger.withGrant(.mebibytes(8), of: budget, until: nil) { _ in }
        }
    }

    @Test("Memory that ended work has left behind counts beside current grants")
    func leftBehind() async throws {
        let budget = ledger.budget
        let (gate, open) = AsyncStream<Void>.makeStream()
        async let long: Void = ledger.withGrant(.mebibytes(4), of: budget, until: nil) { _ in
            for await _ in gate { break }
        }
        while ledger.budget.isCold { await Task.yield() }
        try await ledger.withGrant(.mebibytes(4), of: budget, until: nil) { _ in
            footprint.withLock { $0 = .mebibytes(13) }
        }
        // Of ten four are granted, and more than three left behind.
        try await ledger.withGrant(.mebibytes(2), of: budget, until: nil) { _ in }
        await #expect(throws: MemoryLedger.GrantError.deadline) {
            try await ledger.withGrant(
                .mebibytes(4), of: budget, until: .now + .milliseconds(30)
            ) { _ in }
        }
        open.yield()
        try await long
    }
}
