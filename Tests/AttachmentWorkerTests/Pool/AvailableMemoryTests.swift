import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Testing

@Suite("Number of workers for a machine")
struct AvailableMemoryTests {
    @Test("Cores and memory limit the number, which is at least one")
    func workers() {
        let count = { (cap: Int, cores: Int, available: ByteCount?) in
            AvailableMemory.workers(
                under: MemoryCap(.mebibytes(cap)), cores: cores, in: available)
        }
        #expect(count(24, 8, .mebibytes(24_000)) == 8)
        #expect(count(24, 8, .mebibytes(100)) == 4)
        #expect(count(24, 8, .mebibytes(10)) == 1)
        #expect(count(24, 8, nil) == 8)
        #expect(count(24, 0, ByteCount(0)) == 1)
    }

    @Test("This machine reports available memory")
    func current() throws {
        #expect(try #require(AvailableMemory.current()) > .mebibytes(64))
    }
}
