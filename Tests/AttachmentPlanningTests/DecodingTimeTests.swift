import AttachmentContainer
import AttachmentModel
import AttachmentPlanning
import Testing

@Suite("Decoding time estimates") struct DecodingTimeTests {
    private func seconds(
        _ header: AttachmentHeader, pixels: Int = 1_000_000, passes: Int = 1
    ) -> Double {
        DecodingTime.estimate(of: header, pixels: pixels, passes: passes) / .seconds(1)
    }

    @Test("Estimates of every coding are positive and grow with pixels, passes and bytes")
    func growth() {
        for var header in LadderTests.headers {
            header.fileBytes = ByteCount(100_000)
            let least = seconds(header)
            #expect(least > 0)
            #expect(seconds(header, pixels: 2_000_000) > least)
            #expect(seconds(header, passes: 2) == 2 * least)
            header.fileBytes = ByteCount(200_000)
            #expect(seconds(header) > least)
        }
    }

    @Test("Bytes beyond the maximum per pixel do not count")
    func undecodedBytes() {
        for var header in LadderTests.headers {
            header.fileBytes = .megabytes(10)
            let most = seconds(header)
            header.fileBytes = .megabytes(200)
            #expect(seconds(header) == most)
        }
    }

    @Test("An embedded preview is estimated by its own size")
    func preview() throws {
        var checked = 0
        for header in LadderTests.headers {
            let steps = Planner(settings: ProcessingSettings()).ladder(header).steps
            guard let preview = steps.first(where: { $0.plan.rung == .preview }) else { continue }
            #expect(
                DecodingTime.estimate(of: preview.plan) < DecodingTime.estimate(of: steps[0].plan))
            checked += 1
        }
        #expect(checked > 0)
    }

    @Test("Estimates never overflow, whatever the number of pixels")
    func extremes() {
        for header in LadderTests.headers {
            #expect(seconds(header, pixels: .max, passes: .max) > 1e6)
        }
    }
}
