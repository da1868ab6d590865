import AttachmentContainer
import AttachmentModel
import Testing

@testable import AttachmentFetch

@Suite("Memory of fetches", .timeLimit(.minutes(1)))
struct FlightMemoryTests {
    @Test("Fetches that end before their deadlines leave no memory")
    func memory() async throws {
        let board = FlightBoard<Int>()
        let key = ContentDigest(of: "url")
        func fetch() async throws {
            let value = try await board.join(key, host: "h", until: .now + .seconds(25)) {
                .success(1)
            }
            #expect(value == 1)
        }
        for _ in 0..<1_000 { try await fetch() }
        let before = try #require(Footprint.current())
        for _ in 0..<20_000 { try await fetch() }
        #expect(try #require(Footprint.current()).bytes - before.bytes < 2_000_000)
    }
}
