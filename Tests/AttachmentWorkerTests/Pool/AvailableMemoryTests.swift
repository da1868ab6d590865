import AttachmentContainer
import AttachmentPlanning
import AttachmentWorker
import Testing

@Suite("How many workers there is room for")
struct AvailableMemoryTests {
    @Test("As many as there are cores and memory for, and one at least")
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

    @Test("This machine has some")
    func current() throws {
        #expect(try #require(AvailableMemory.current()) > .mebibytes(64))
    }
}
