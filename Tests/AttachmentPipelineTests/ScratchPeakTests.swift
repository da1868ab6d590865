import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@Suite("Scratch files in the measured peak", .serialized, .timeLimit(.minutes(1)))
struct ScratchPeakTests {
    /// A period after which no test is still running, as on a machine without a free processor.
    private static let never: UInt32 = 60_000_000

    @Test("A scratch file between two samples is no footprint")
    func mappings() throws {
        try TemporaryFolder.with { folder in
            let recorder = PeakRecorder(every: Self.never)
            let space = ScratchSpace(
                from: .folder(folder.path), ceiling: 64 << 20, placement: nil,
                willUnmap: { recorder.sample() })
            let interval = recorder.begin()
            defer { recorder.end(interval) }
            let before = try #require(Footprint.current())
            do {
                let mapping = try space.makeMapping(bytes: 32 << 20)
                for offset in stride(from: 0, to: mapping.bytes.count, by: 4096) {
                    mapping.bytes[offset] = 1
                }
            }
            #expect(space.liveBytes == 0)
            #expect(recorder.peak(of: interval).bytes < before.bytes + 8 << 20)
        }
    }
}
