import AttachmentContainer
import AttachmentModel
import Testing

@testable import AttachmentPipeline

@Suite("Memory of waits for grants", .timeLimit(.minutes(1)))
struct LedgerMemoryTests {
    @Test("Waits that end before their deadlines leave no memory")
    func waits() async throws {
        let ledger = MemoryLedger(cap: MemoryCap(.mebibytes(20))) { .mebibytes(9) }
        let budget = ledger.budget
        let gate = AsyncStream<Void>.makeStream()
        let isHeld = Lock(false)
        let holder = Task {
            try await ledger.withGrant(budget.work, of: budget, until: nil) { _ in
                isHeld.withLock { $0 = true }
                for await _ in gate.stream { return }
            }
        }
        while !isHeld.withLock({ $0 }) { await Task.yield() }
        func wait() async {
            let waiter = Task {
                try await ledger.withGrant(
                    budget.work, of: budget, until: .now + .seconds(25)
                ) { _ in }
            }
            while ledger.waiting == 0 { await Task.yield() }
            waiter.cancel()
            _ = await waiter.result
        }
        let growth = try await growth(20_000, warmUp: 1_000) { await wait() }
        #expect(growth < 2_000_000)
        gate.continuation.finish()
        try await holder.value
    }
}
