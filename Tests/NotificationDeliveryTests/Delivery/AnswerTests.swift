import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload
import Testing

@Suite("The order of answers", .timeLimit(.minutes(1)))
final class AnswerTests: Sendable {
    let fixture: StageFixture

    init() throws { fixture = try StageFixture() }

    deinit { fixture.remove() }

    /// A processor that publishes immediately.
    private func publishing(_ rung: Rung = .streamed) -> ScriptedProcessor {
        ScriptedProcessor { [fixture] request throws(AttachmentError) in
            try fixture.publish(request, rung: rung)
        }
    }

    @Test("The requested renditions are attached as a clone, and the rest is unchanged")
    func renditions() async throws {
        let file = try fixture.write(Sample.jpeg())
        let request = fixture.request(.file(file))
        let answer = await (try fixture.stage(publishing())).deliver(request)
        let manifest = try #require(answer.outcome.manifest)
        #expect(answer.outcome.kind == .rendition)
        #expect(answer.reasons.isEmpty)
        #expect(manifest.identifier == "one" && manifest.category == "photo")
        #expect(answer.typeIdentifier == "public.jpeg")
        #expect(
            answer.thumbnailClipping == UnitRectangle(x: 0.125, y: 0, width: 0.75, height: 1))

        let picture = try #require(answer.picture)
        #expect(picture.pathExtension == "jpg")
        #expect(try Data(contentsOf: picture) == Data("expanded".utf8))
        let reference = try #require(answer.notification.attachments.first)
        #expect(answer.notification.attachments.count == 1)
        #expect(reference.identifier == "picture" && reference.localPath == picture.path)
        #expect(reference.typeHint == "public.jpeg")
        var rest = answer.notification
        rest.attachments = request.notification.attachments
        #expect(rest == request.notification)
    }

    @Test("Sound and movies are attached as published, and available to the content extension")
    func media() async throws {
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            try fixture.publishMovie(request)
        }
        let file = try fixture.write(Sample.mp4, to: "clip.jpg")
        let answer = await (try fixture.stage(processor)).deliver(fixture.request(.file(file)))
        #expect(answer.outcome.kind == .rendition && answer.codes == ["passed-through"])
        #expect(answer.typeIdentifier == "public.mpeg-4")
        let attached = try #require(answer.picture)
        #expect(attached.pathExtension == "mp4")
        #expect(try Data(contentsOf: attached) == Data(Sample.mp4))
        #expect(answer.note.rendition?.type == "public.mpeg-4")
        let content = fixture.container.content(for: "one", on: Display(width: 440, scale: 3))
        #expect(content.media?.duration == 3)
        let limited = try fixture.stage(processor) {
            $0.attachmentLimits.movie = ByteCount(Sample.mp4.count - 1)
        }
        let other = await limited.deliver(fixture.request(.file(file)))
        #expect(other.picture == nil && other.codes == ["over-type-limit"])
    }

    @Test("The system may move or change the clone without affecting the rendition")
    func moved() async throws {
        let file = try fixture.write(Sample.jpeg())
        let answer = await (try fixture.stage(publishing())).deliver(fixture.request(.file(file)))
        let picture = try #require(answer.picture)
        let store = fixture.folder.appending(path: "store.jpg")
        try FileManager.default.moveItem(at: picture, to: store)
        let handle = try FileHandle(forWritingTo: store)
        try handle.write(contentsOf: Data("changed".utf8))
        try handle.close()
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: store.path)
        var findings: [Finding] = []
        fixture.container.verify { if case .finding(let finding) = $0 { findings.append(finding) } }
        #expect(findings.isEmpty)
        let content = fixture.container.content(
            for: "one", on: Display(width: 440, scale: 3))
        let shown = try #require(content.picture)
        #expect(try Data(contentsOf: shown.url) == Data("expanded".utf8))
    }

    @Test(
        "Rungs with less than requested are reported as lower rungs", arguments: Rung.allCases)
    func lowerRung(_ rung: Rung) async throws {
        let file = try fixture.write(Sample.jpeg())
        let stage = try fixture.stage(publishing(rung))
        let answer = await stage.deliver(fixture.request(.file(file)))
        #expect(answer.outcome.kind == (rung.isFullSize ? .rendition : .lowerRung))
        #expect(answer.reasons.map(\.code) == (rung.isFullSize ? [] : [.lowerRung]))
        #expect(answer.picture != nil)
    }

    @Test(
        "Each processing failure has its answer",
        arguments: AttachmentError.Code.allCases)
    func failure(_ code: AttachmentError.Code) async throws {
        let file = try fixture.write(Sample.jpeg())
        let processor = ScriptedProcessor.failing(code)
        let answer = await (try fixture.stage(processor)).deliver(fixture.request(.file(file)))
        let isDamage = [.truncated, .corrupt].contains(code)
        #expect(answer.reasons.first?.code.rawValue == code.rawValue)
        #expect(answer.outcome.kind == (isDamage ? .withoutPicture : .original))
        #expect((answer.picture == nil) == isDamage)
        #expect(answer.reasons.last?.code == (isDamage ? .damaged : .init(rawValue: code.rawValue)))
        #expect(try fixture.incomingNames().count == (isDamage ? 0 : 1))
        switch code {
        case .truncated, .corrupt: #expect(processor.below == [nil, .reduced])
        case .late, .crashed, .killed, .doesNotFit:
            #expect(processor.below == [nil, .fileBacked, .reduced])
        default: #expect(processor.below == [nil])
        }
    }

    @Test("After a crash, a lower rung is tried and used")
    func retried() async throws {
        let file = try fixture.write(Sample.jpeg())
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            guard request.below == .reduced else {
                throw AttachmentError(.crashed, file: request.path, reason: "on purpose")
            }
            return try fixture.publish(request, rung: .preview)
        }
        let answer = await (try fixture.stage(processor)).deliver(fixture.request(.file(file)))
        #expect(answer.outcome.kind == .lowerRung)
        #expect(answer.reasons.map(\.code) == [.init(rawValue: "crashed"), .lowerRung])
        #expect(processor.below == [nil, .fileBacked, .reduced])
    }

    @Test("A picture of another attachment under the same identifier is not reused")
    func earlierPicture() async throws {
        let display = Display(width: 440, scale: 3)
        let stage = try fixture.stage(ScriptedProcessor.failing(.overCap))
        for isPinned in [false, true] {
            try fixture.publish("one", source: Data("another picture".utf8))
            if isPinned { try fixture.container.pin("one") }
            let file = try fixture.write(Sample.jpeg())
            let answer = await stage.deliver(fixture.request(.file(file)))
            #expect(answer.outcome.kind == .original)
            let content = fixture.container.content(for: "one", on: display)
            #expect((content.picture != nil) == isPinned)
        }
    }

    @Test("A picture of the same attachment under the same identifier stays")
    func samePicture() async throws {
        let file = try fixture.write(Sample.jpeg())
        try fixture.publish("one", source: Data(contentsOf: file))
        let stage = try fixture.stage(ScriptedProcessor.failing(.overCap))
        let answer = await stage.deliver(fixture.request(.file(file)))
        #expect(answer.outcome.kind == .lowerRung)
        let content = fixture.container.content(for: "one", on: Display(width: 440, scale: 3))
        #expect(content.picture != nil)
    }
}
