import AttachmentContainer
import AttachmentModel
import Testing

@testable import AttachmentStore

@Suite("Memory of uploads", .timeLimit(.minutes(1)))
struct UploadMemoryTests {
    @Test("Uploads that end before their deadlines leave no memory")
    func memory() async throws {
        let board = UploadBoard()
        for _ in 0..<1_000 {
            try await board.join("a", until: .now + .seconds(25)) { _ in .success(()) }
        }
        let before = try #require(Footprint.current())
        for _ in 0..<20_000 {
            try await board.join("a", until: .now + .seconds(25)) { _ in .success(()) }
        }
        #expect(try #require(Footprint.current()).bytes - before.bytes < 2_000_000)
    }

    @Test("A caller whose deadline has passed fails as late")
    func passed() async {
        let board = UploadBoard()
        for _ in 0..<200 {
            await #expect(throws: StoreError.self) {
                try await board.join("a", until: .now) { _ in
                    try? await Deadline.sleep(for: .seconds(3600))
                    return .success(())
                }
            }
        }
    }
}
