import AttachmentContainer
import Testing

@Suite("Memory of waits", .timeLimit(.minutes(1)))
struct WaitingMemoryTests {
    @Test("Works that end before their deadlines leave no memory")
    func works() async throws {
        let work = SharedWork<String, Int>()
        let growth = try await growth(20_000, warmUp: 1_000) {
            _ = try await work.value(of: "a", until: .now + .seconds(25)) { _ in 1 }
        }
        #expect(growth < 2_000_000)
    }

    @Test("Requests withdrawn behind one that stays leave no memory")
    func withdrawn() async throws {
        let line = WaitingLine(places: 0)
        let first = Task { try await line.take() }
        while line.count == 0 { await Task.yield() }
        let growth = try await growth(20_000, warmUp: 1_000) {
            let waiter = Task { try await line.take(until: .now + .seconds(25)) }
            while line.count == 1 { await Task.yield() }
            waiter.cancel()
            _ = await waiter.result
        }
        #expect(growth < 2_000_000)
        first.cancel()
    }
}
