import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload
import Testing

@Suite("The original as the answer", .timeLimit(.minutes(1)))
final class OriginalTests: Sendable {
    let fixture: StageFixture

    init() throws { fixture = try StageFixture() }

    deinit { fixture.remove() }

    /// The answer when the processor fails.
    private func answer(
        _ bytes: [UInt8], named name: String = "file",
        _ configure: (inout DeliveryStage.Configuration) -> Void = { _ in }
    ) async throws -> DeliveryAnswer {
        let stage = try fixture.stage(ScriptedProcessor.failing(.overCap), configure)
        return await stage.deliver(fixture.request(.file(try fixture.write(bytes, to: name))))
    }

    @Test("A picture's type comes from its bytes and determines its file extension")
    func pictures() async throws {
        for (bytes, type, suffix) in [
            (Sample.jpeg(), "public.jpeg", "jpg"), (Sample.png(), "public.png", "png"),
            (Sample.gif(), "com.compuserve.gif", "gif"),
        ] {
            // The last name contradicts the bytes.
            for name in ["file.\(suffix)", "file", "file.tmp", "file.webp"] {
                let answer = try await answer(bytes, named: name)
                #expect(answer.outcome.kind == .original)
                #expect(answer.codes == ["over-cap"])
                #expect(answer.typeIdentifier == type)
                #expect(answer.notification.attachments.first?.typeHint == type)
                let picture = try #require(answer.picture)
                #expect(picture.pathExtension == suffix)
                #expect(try Data(contentsOf: picture) == Data(bytes))
                #expect(answer.thumbnailClipping == nil)
            }
        }
    }

    @Test("Sound and movies are attached unchanged if they cannot be published")
    func media() async throws {
        for (bytes, type, suffix) in [
            (Sample.wav, "com.microsoft.waveform-audio", "wav"), (Sample.avi, "public.avi", "avi"),
            (Sample.aiff, "public.aiff-audio", "aiff"), (Sample.mp3, "public.mp3", "mp3"),
            (Sample.taggedMP3, "public.mp3", "mp3"), (Sample.m4a, "public.mpeg-4-audio", "m4a"),
            (Sample.mp4, "public.mpeg-4", "mp4"), (Sample.mpeg, "public.mpeg", "mpg"),
            (Sample.mpeg2, "public.mpeg-2-video", "m2v"),
        ] {
            let answer = try await answer(bytes, named: "file.jpg")
            #expect(answer.outcome.kind == .original)
            #expect(answer.codes == ["over-cap"])
            #expect(answer.typeIdentifier == type)
            #expect(answer.picture?.pathExtension == suffix)
        }
    }

    @Test("Unsupported types are not attached, whatever their names")
    func notAttachable() async throws {
        let tagOfNothing = Array(Sample.taggedMP3.prefix(210)) + Sample.zeros(4000)
        for bytes in [
            Sample.proRes, Sample.ascii("<svg/>"), Sample.ascii("no picture"),
            // An AAC frame, whose layer bits are zero.
            [0xFF, 0xF1, 0x50, 0x80],
        ] {
            let answer = try await answer(bytes, named: "file.jpg")
            #expect(answer.outcome.kind == .withoutPicture)
            #expect(answer.codes == ["over-cap", "type-not-attachable"])
            #expect(answer.picture == nil && answer.notification.attachments.isEmpty)
        }
        #expect(try await answer(tagOfNothing).codes == ["over-cap", "damaged"])
        // The stage decides this before it calls the processor.
        #expect(try await answer([]).codes == ["empty", "damaged"])
    }

    @Test("A file over its type's limit is not attached; one of exactly that size is")
    func limits() async throws {
        for (bytes, field) in [
            (Sample.jpeg(), \AttachmentLimits.picture), (Sample.mp3, \.sound),
            (Sample.mp4, \.movie),
        ] {
            for (limit, outcome) in [
                (bytes.count, DeliveryNote.Kind.original), (bytes.count - 1, .withoutPicture),
            ] {
                let answer = try await answer(bytes) {
                    $0.attachmentLimits[keyPath: field] = ByteCount(limit)
                }
                #expect(answer.outcome.kind == outcome)
                #expect(
                    answer.reasons.contains { $0.code == .overTypeLimit }
                        == (outcome == .withoutPicture))
            }
        }
    }

    @Test("A picture over the content extension's render budget is not attached")
    func renderBudget() async throws {
        // Decoded sizes: pixels, bytes per pixel, frames.
        for (bytes, cost) in [
            (Sample.jpeg(width: 100, height: 50), 100 * 50 * 4),
            (Sample.png(width: 100, height: 50, bits: 16), 100 * 50 * 8),
            (Sample.gif(width: 100, height: 50, frames: 12), 100 * 50 * 4 * 12),
        ] {
            // Stills and animations have separate budgets.
            let isMoving = bytes.starts(with: Sample.ascii("GIF"))
            let budget: WritableKeyPath<DeliveryStage.Configuration, ByteCount> =
                isMoving ? \.animationRenderBudget : \.renderBudget
            let fits = try await answer(bytes) { $0[keyPath: budget] = ByteCount(cost) }
            #expect(fits.outcome.kind == .original)
            let exceeds = try await answer(bytes) { $0[keyPath: budget] = ByteCount(cost - 1) }
            #expect(exceeds.outcome.kind == .withoutPicture)
            #expect(exceeds.codes == ["over-cap", "over-render-budget"])
        }
        let huge = try await answer(Sample.jpeg(width: 65_500, height: 65_500))
        #expect(huge.codes == ["over-cap", "over-render-budget"])
    }

    @Test("Changes to a clone do not affect the original, and vice versa")
    func independent() async throws {
        let bytes = Sample.jpeg(padding: 200_000)
        let file = try fixture.write(bytes)
        let stage = try fixture.stage(ScriptedProcessor.failing(.overCap))
        let answer = await stage.deliver(fixture.request(.file(file)))
        let picture = try #require(answer.picture)
        try Data("other".utf8).write(to: picture)
        #expect(try Data(contentsOf: file) == Data(bytes))
        let again = await stage.deliver(fixture.request(.file(file)))
        try FileHandle(forWritingTo: file).truncate(atOffset: 3)
        #expect(try Data(contentsOf: #require(again.picture)) == Data(bytes))
    }
}
