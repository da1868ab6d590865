import AttachmentContainer
import AttachmentModel
import Foundation
import Logging
import NotificationDelivery
import NotificationPayload
import Testing

@Suite("Requests and configuration", .timeLimit(.minutes(1)))
final class RequestTests: Sendable {
    let fixture: StageFixture

    init() throws { fixture = try StageFixture() }

    deinit { fixture.remove() }

    @Test("A notification without an attachment is answered unchanged, with the reason")
    func none() async throws {
        let processor = ScriptedProcessor.failing(.crashed)
        let request = fixture.request(.none)
        let answer = await (try fixture.stage(processor)).deliver(request)
        #expect(answer.codes == ["no-attachment"])
        #expect(answer.outcome.kind == .withoutPicture)
        #expect(processor.requests.isEmpty)
    }

    @Test("Existing renditions are used if the attachment is unavailable")
    func unavailable() async throws {
        let stage = try fixture.stage(ScriptedProcessor.failing(.crashed))
        let reason = DeliveryReason(
            .unavailable, message: "the server answered 404", remedy: "check the address")
        let nothing = await stage.deliver(fixture.request(.unavailable(reason)))
        #expect(nothing.outcome.kind == .withoutPicture)
        #expect(nothing.reasons == [reason])

        try fixture.publish("one", source: Data("earlier".utf8))
        let missing = fixture.attachments.appending(path: "none")
        for (attachment, code) in [
            (DeliveryRequest.Attachment.unavailable(reason), "unavailable"),
            (.file(missing), "missing"),
        ] {
            let earlier = await stage.deliver(fixture.request(attachment))
            #expect(earlier.outcome.kind == .lowerRung)
            #expect(earlier.codes == [code, "earlier-renditions"])
            #expect(earlier.picture != nil)
        }
    }

    @Test("A file outside the allowed folders is not processed")
    func allowedRoots() async throws {
        let processor = ScriptedProcessor.failing(.crashed)
        let stage = try fixture.stage(processor) {
            $0.allowedRoots = AllowedRoots([fixture.folder.appending(path: "elsewhere")])
        }
        let file = try fixture.write(Sample.jpeg())
        let answer = await stage.deliver(fixture.request(.file(file)))
        #expect(answer.codes == ["outside-roots"])
        #expect(processor.requests.isEmpty)
    }

    @Test("The processor receives the file, its notification and the time for the attempt")
    func passedOn() async throws {
        let processor = ScriptedProcessor.failing(.crashed)
        let file = try fixture.write(Sample.jpeg())
        let request = fixture.request(.file(file), within: .seconds(10))
        _ = await (try fixture.stage(processor)).deliver(request)
        let deadline = try #require(request.deadline)
        for attempt in processor.requests {
            #expect(attempt.path == file.path)
            #expect(attempt.identifier == "one" && attempt.category == "photo")
            let kept = try #require(attempt.deadline).duration(to: deadline)
            // A quarter of the time left, which is less than ten seconds on a busy machine.
            let expected = attempt.below == nil ? 0.01...2.5 : -0.01...0.01
            #expect(expected.contains(kept / .seconds(1)))
        }
        #expect(processor.requests.count == 3)
    }

    @Test("In-place handover copies nothing and leaves no files")
    func inPlace() async throws {
        let file = try fixture.write(Sample.jpeg(), to: "file.tmp")
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            guard request.identifier == "one" else {
                throw AttachmentError(.overCap, file: request.path, reason: "on purpose")
            }
            return try fixture.publish(request)
        }
        let stage = try fixture.stage(processor) { $0.handover = .inPlace }
        let renditions = await stage.deliver(fixture.request(.file(file)))
        let shown = fixture.container.content(for: "one", on: Display(width: 440, scale: 3))
        #expect(renditions.picture?.path == shown.picture?.url.path)
        let original = await stage.deliver(fixture.request(.file(file), "two"))
        #expect(original.picture?.path == file.path)
        #expect(original.typeIdentifier == "public.jpeg")
        #expect(try fixture.incomingNames().isEmpty)
        // The file is not removed with the answer.
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test("Clones go to the configured folder, which is created if missing")
    func namedFolder() async throws {
        let folder = fixture.folder.appending(path: "some/where")
        let stage = try fixture.stage(ScriptedProcessor.failing(.overCap)) {
            $0.handover = .clone(in: folder)
        }
        let file = try fixture.write(Sample.jpeg())
        let answer = await stage.deliver(fixture.request(.file(file)))
        #expect(answer.picture?.deletingLastPathComponent().path == folder.path)
        #expect(try fixture.incomingNames().isEmpty)
    }

    @Test("If no file can be created, the answer has no picture and the renditions stay")
    func noRoom() async throws {
        // A file instead of the folder.
        let folder = try fixture.write([], to: "blocked")
        let file = try fixture.write(Sample.jpeg())
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            guard request.identifier == "one" else {
                throw AttachmentError(.overCap, file: request.path, reason: "on purpose")
            }
            return try fixture.publish(request)
        }
        let stage = try fixture.stage(processor) { $0.handover = .clone(in: folder) }
        let renditions = await stage.deliver(fixture.request(.file(file)))
        #expect(renditions.outcome.kind == .rendition)
        #expect(renditions.codes == ["storage"] && renditions.picture == nil)
        let original = await stage.deliver(fixture.request(.file(file), "two"))
        #expect(original.outcome.kind == .withoutPicture)
        #expect(original.codes == ["over-cap", "storage"])
    }

    @Test("A rendition over the system's size limit is not attached")
    func longRendition() async throws {
        let file = try fixture.write(Sample.jpeg())
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            try fixture.publish(request)
        }
        let stage = try fixture.stage(processor) { $0.attachmentLimits.picture = ByteCount(3) }
        let answer = await stage.deliver(fixture.request(.file(file)))
        #expect(answer.outcome.kind == .rendition)
        #expect(answer.codes == ["over-type-limit"] && answer.picture == nil)
    }

    @Test("The payload's note has the outcome, the reason and the picture to show")
    func note() async throws {
        let file = try fixture.write(Sample.jpeg())
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            try fixture.publish(request, rung: .preview)
        }
        let stage = try fixture.stage(processor)
        let answer = await stage.deliver(fixture.request(.file(file)))
        let manifest = try #require(answer.outcome.manifest)
        let rendition = try #require(manifest.rendition(.expanded))
        #expect(
            answer.note
                == DeliveryNote(
                    outcome: .lowerRung, reason: "lower-rung", identifier: "one",
                    contentSizeRatio: 0.75, placeholder: manifest.placeholder.rawValue,
                    averageColour: "#c85028",
                    rendition: .init(
                        file: rendition.file, type: "public.jpeg", bytes: rendition.bytes.bytes,
                        width: 40, height: 30)))
        let nothing = await stage.deliver(fixture.request(.none))
        #expect(
            nothing.note == DeliveryNote(outcome: .withoutPicture, reason: "no-attachment"))
    }

    @Test("Notes on several attachments begin with the first that has a picture")
    func notes() async throws {
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            try fixture.publish(request)
        }
        let stage = try fixture.stage(processor)
        let nothing = await stage.deliver(fixture.request(.none))
        let file = try fixture.write(Sample.jpeg())
        let picture = await stage.deliver(fixture.request(.file(file)))
        #expect([nothing].note == nil && [DeliveryAnswer]().note == nil)
        #expect([picture].note == picture.note)
        let note = try #require([nothing, picture, nothing, picture].note)
        #expect(note.index == 1 && note.rendition == picture.note.rendition)
        #expect(note.others.map(\.index) == [3])
    }

    @Test("An out-of-range setting is reported by name")
    func invalid() throws {
        let changes: [(String, @Sendable (inout DeliveryStage.Configuration) -> Void)] = [
            ("deadline", { $0.deadline = .zero }),
            ("rememberedPictures", { $0.rememberedPictures = -1 }),
            ("timeForLowerRung", { $0.timeForLowerRung = .seconds(-1) }),
            ("renderBudget", { $0.renderBudget = ByteCount(-1) }),
            ("attachmentLimits.picture", { $0.attachmentLimits.picture = ByteCount(-1) }),
            ("attachmentLimits.sound", { $0.attachmentLimits.sound = ByteCount(-1) }),
            ("attachmentLimits.movie", { $0.attachmentLimits.movie = ByteCount(-1) }),
        ]
        for (field, change) in changes {
            let error = #expect(throws: SettingsError.self) {
                try fixture.stage(ScriptedProcessor.failing(.late), change)
            }
            #expect(error?.field == field)
        }
    }
}
