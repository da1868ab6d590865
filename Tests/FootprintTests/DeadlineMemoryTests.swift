import AttachmentContainer
import Testing

@Suite("Memory of deadlines", .timeLimit(.minutes(2)))
struct DeadlineMemoryTests {
    @Test("Cancelled deadlines leave no memory")
    func cancelled() async throws {
        let growth = try await growth(2_000_000, warmUp: 2_000) {
            Deadline(at: .now + .seconds(25)) {}.cancel()
        }
        #expect(growth < 2_000_000)
    }

    @Test("Cancelled sleeps leave no memory")
    func sleeps() async throws {
        let growth = try await growth(200_000, warmUp: 2_000) {
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
