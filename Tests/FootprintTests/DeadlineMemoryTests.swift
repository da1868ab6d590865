import AttachmentContainer
import AttachmentModel
import CSystemCalls
import Testing

@Suite("Memory of deadlines", .timeLimit(.minutes(2)))
struct DeadlineMemoryTests {
    /// Free memory goes back to the system as in our programs, at the same threshold: else the C library
    /// raises it with the blocks that the test itself frees, for the heap of each thread.
    init() { thimble_return_freed_memory() }

    /// Growth while a body is repeated, after a warm-up, without what the C library holds free.
    private func growth(
        _ repetitions: Int, warmUp: Int = 2_000, _ body: () async throws -> Void
    ) async throws -> Int {
        for _ in 0..<warmUp { try await body() }
        let before = try footprint()
        for _ in 0..<repetitions { try await body() }
        return try footprint() - before
    }

    private func footprint() throws -> Int {
        thimble_trim_heap()
        return try #require(Footprint.current()).bytes
    }

    @Test("Cancelled deadlines leave no memory")
    func cancelled() async throws {
        let growth = try await growth(2_000_000) {
            Deadline(at: .now + .seconds(25)) {}.cancel()
        }
        #expect(growth < 2_000_000)
    }

    @Test("Cancelled sleeps leave no memory")
    func sleeps() async throws {
        let growth = try await growth(200_000) {
            let task = Task { try await Deadline.sleep(for: .seconds(25)) }
            task.cancel()
            _ = await task.result
        }
        #expect(growth < 2_000_000)
    }

    // A deadline that left one block behind would add 16 MB, and a heap that kept its room at least 8.
    @Test("A burst of deadlines returns its memory")
    func burst() async throws {
        let growth = try await growth(5, warmUp: 0) {
            let deadlines = (0..<100_000).map { _ in Deadline(at: .now + .seconds(25)) {} }
            for deadline in deadlines { deadline.cancel() }
        }
        #expect(growth < 4_000_000, "\(growth)")
    }
}
