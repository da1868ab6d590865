import AttachmentAV1
import AttachmentContainer
import AttachmentPipeline
import Testing

@Suite("The encoder of inline pictures")
struct StillEncoderTests {
    private let encoder: any StillEncoder

    init() throws { encoder = try #require(InlineEncoder.linked) }

    /// Grey planes of 4:4:4.
    private static func planes(_ width: Int, _ height: Int) -> StillPlanes {
        let plane = [UInt8](repeating: 128, count: max(1, width * height))
        return StillPlanes(
            PixelSize(width: width, height: height), halvesChroma: false,
            samples: [plane, plane, plane])
    }

    @Test("A picture is encoded")
    func encoded() throws {
        let made = try encoder.encode(Self.planes(16, 9), atMost: 500) { false }
        #expect(!made.unit.isEmpty && made.encodes > 0)
    }

    @Test("A failure has the library's reason, and is not a lack of memory")
    func failed() {
        do throws(StillFailure) {
            _ = try encoder.encode(Self.planes(0, 0), atMost: 500) { false }
            Issue.record("a picture without pixels was encoded")
        } catch {
            guard case .failed(let reason) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(!reason.isEmpty)
        }
    }
}
