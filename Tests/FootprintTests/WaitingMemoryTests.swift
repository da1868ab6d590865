import AttachmentContainer
import AttachmentModel
import Testing

@Suite("Memory of waits", .timeLimit(.minutes(1)))
struct WaitingMemoryTests {
    private func growth(_ body: () async throws -> Void) async throws -> Int {
        for _ in 0..<1_000 { try await body() }
        let before = try #require(Footprint.current())
        for _ in 0..<20_000 { try await body() }
        return try #require(Footprint.current()).bytes - before.bytes
    }

    @Test("Works that end before their deadlines leave no memory")
    func works() async throws {
        let work = SharedWork<String, Int>()
        let growth = try await growth {
            _ = try await work.value(of: "a", until: .now + .seconds(25)) { _ in 1 }
        }
        #expect(growth < 2_000_000)
    }

    @Test("Requests withdrawn behind one that stays leave no memory")
    func withdrawn() async throws {
        let line = WaitingLine(places: 0)
        let first = Task { try await line.take() }
        while line.count == 0 { await Task.yield() }
        let growth = try await growth {
            let waiter = Task { try await line.take(until: .now + .seconds(25)) }
            while line.count == 1 { await Task.yield() }
            waiter.cancel()
            _ = await waiter.result
        }
        #expect(growth < 2_000_000)
        first.cancel()
    }
}
