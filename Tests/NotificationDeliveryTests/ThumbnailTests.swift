import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload
import Testing

@Suite("The thumbnail of an answer", .timeLimit(.minutes(1)))
final class ThumbnailTests: Sendable {
    let fixture: StageFixture

    init() throws { fixture = try StageFixture() }

    deinit { fixture.remove() }

    private func answer(
        _ bytes: [UInt8], _ work: @escaping ScriptedProcessor.Work
    ) async throws -> DeliveryAnswer {
        let file = try fixture.write(bytes)
        return await (try fixture.stage(ScriptedProcessor(work)))
            .deliver(fixture.request(.file(file)))
    }

    @Test("A movie's thumbnail is its telling moment")
    func movie() async throws {
        let answer = try await answer(Sample.mp4) { [fixture] request throws(AttachmentError) in
            try fixture.publishMovie(request)
        }
        #expect(answer.thumbnailTime == 0.3)
        #expect(answer.avatar == nil)
    }

    @Test("A still has no moment, and its square rendition is the avatar")
    func still() async throws {
        let answer = try await answer(Sample.jpeg()) { [fixture] request throws(AttachmentError) in
            try fixture.publish(request)
        }
        #expect(answer.thumbnailTime == nil)
        #expect(answer.avatar?.role == .banner)
        #expect(answer.avatar?.size == PixelSize(width: 30, height: 30))
    }

    @Test("An original has neither moment nor avatar")
    func original() async throws {
        let answer = try await answer(Sample.gif(frames: 3)) { request throws(AttachmentError) in
            throw AttachmentError(.overCap, file: request.path, reason: "on purpose")
        }
        #expect(answer.outcome.kind == .original)
        #expect(answer.thumbnailTime == nil && answer.avatar == nil)
    }
}
