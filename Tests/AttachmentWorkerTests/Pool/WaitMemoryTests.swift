import AttachmentContainer
import AttachmentModel
import Testing

@testable import AttachmentWorker

@Suite("Memory of waits for workers", .timeLimit(.minutes(1)))
struct WaitMemoryTests {
    @Test("Places that are taken before a deadline leave no memory")
    func places() async throws {
        try await PoolFixture.with { fixture in
            try await fixture.withPool { pool in
                func take() async throws {
                    _ = try await pool.roster.take(.rows, until: .now + .seconds(25))
                    pool.roster.giveBack(nil)
                }
                for _ in 0..<1_000 { try await take() }
                let before = try #require(Footprint.current())
                for _ in 0..<20_000 { try await take() }
                #expect(try #require(Footprint.current()).bytes - before.bytes < 2_000_000)
            }
        }
    }
}
