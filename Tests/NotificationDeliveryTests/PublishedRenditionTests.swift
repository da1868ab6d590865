import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload
import Testing

@Suite("A server's published rendition", .timeLimit(.minutes(1)))
final class PublishedRenditionTests: Sendable {
    let fixture: StageFixture
    private let placeholder = ThumbHash(uniform: Colour(red: 90, green: 60, blue: 30))

    init() throws { fixture = try StageFixture() }

    deinit { fixture.remove() }

    /// A notification as `thimble stage` leaves it: the published URL, and the note.
    private func notification(
        _ digest: ContentDigest, fileExtension: String = "jpg",
        _ change: (inout DeliveryNote) -> Void = { _ in }
    ) throws -> NotificationContent {
        let file = "\(digest.rawValue.prefix(2))/\(digest.rawValue).\(fileExtension)"
        var note = DeliveryNote(
            outcome: .rendition, contentSizeRatio: 0.75, placeholder: placeholder.rawValue,
            averageColour: "#5a3c1e", rendition: .init(file: file, type: "public.jpeg"))
        change(&note)
        let payload = try APNsPayload(
            parsing:
                #"{"aps":{"category":"photo"},"att":{"a":"https://e.com/\#(file)","b":"b.jpg"}}"#
                .utf8)
        return payload.adding(note).payload.content(identifier: "one")
    }

    /// Delivers bytes as the download of the rendition that a note names.
    private func deliver(
        _ bytes: [UInt8], noted: ContentDigest? = nil,
        _ configure: (inout DeliveryStage.Configuration) -> Void = { _ in },
        note change: (inout DeliveryNote) -> Void = { _ in }
    ) async throws -> (answer: DeliveryAnswer, isDecoded: Bool) {
        let notification = try notification(
            noted ?? ContentDigest(of: Data(bytes)), change)
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            try fixture.publish(request)
        }
        let published = try #require(PublishedRendition(of: notification))
        var request = DeliveryRequest(
            notification, attachment: .file(try fixture.write(bytes)),
            deadline: .now + .seconds(20))
        request.published = published
        let answer = await (try fixture.stage(processor, configure)).deliver(request)
        return (answer, !processor.requests.isEmpty)
    }

    @Test("A baseline JPEG is kept byte for byte under the notification's identifier, undecoded")
    func kept() async throws {
        let bytes = Sample.jpeg()
        let (answer, isDecoded) = try await deliver(bytes)
        #expect(!isDecoded)
        #expect(answer.outcome.kind == .rendition && answer.reasons.isEmpty)
        #expect(answer.typeIdentifier == "public.jpeg")
        #expect(try Data(contentsOf: #require(answer.picture)) == Data(bytes))
        let content = fixture.container.content(
            for: "one", on: Display(width: 440, scale: 3))
        #expect(try Data(contentsOf: #require(content.picture?.url)) == Data(bytes))
        #expect(content.contentSizeRatio == 0.75 && content.placeholder == placeholder)
        #expect(content.averageColour == Colour(red: 90, green: 60, blue: 30))
        let manifest = try #require(try fixture.container.manifest(for: "one"))
        #expect(manifest.category == "photo" && manifest.rung == "as-published")
        #expect(manifest.source.sha256 == ContentDigest(of: Data(bytes)))
        #expect(manifest.notes.isEmpty)
        #expect(try fixture.incomingNames().count == 1)
    }

    @Test("A PNG that is not interlaced is kept too")
    func png() async throws {
        let (answer, isDecoded) = try await deliver(Sample.png())
        #expect(!isDecoded)
        #expect(answer.typeIdentifier == "public.png" && answer.outcome.kind == .rendition)
    }

    @Test("A rendition of a lower rung says so")
    func lowerRung() async throws {
        let (answer, _) = try await deliver(
            Sample.jpeg(), note: { $0.outcome = .lowerRung })
        #expect(answer.outcome.manifest?.notes.count == 1)
    }

    @Test("Without placeholder and colour in the note, they are plain")
    func reduced() async throws {
        let (answer, isDecoded) = try await deliver(
            Sample.jpeg(),
            note: {
                $0.placeholder = nil
                $0.averageColour = "brown"
            })
        #expect(!isDecoded)
        #expect(answer.outcome.manifest?.averageColour == Colour(red: 142, green: 142, blue: 147))
    }

    @Test("Other bytes than the note's are processed")
    func otherBytes() async throws {
        let (answer, isDecoded) = try await deliver(
            Sample.jpeg(), noted: ContentDigest(of: "something else"))
        #expect(isDecoded && answer.outcome.kind == .rendition)
        #expect(answer.outcome.manifest?.rung == Rung.streamed.rawValue)
    }

    /// Pictures that a content extension cannot show at once.
    private static let unready: [(name: String, bytes: [UInt8])] = [
        ("progressive", changed(Sample.jpeg(), from: [0xFF, 0xC0], to: [0xFF, 0xC2])),
        ("arithmetic", changed(Sample.jpeg(), from: [0xFF, 0xC0], to: [0xFF, 0xC9])),
        (
            "of 12 bits",
            changed(Sample.jpeg(), from: [0xFF, 0xC0, 0, 17, 8], to: [0xFF, 0xC1, 0, 17, 12])
        ),
        ("of four inks", changed(Sample.jpeg(), from: [0, 40, 3], to: [0, 40, 4])),
        ("with Exif", [0xFF, 0xD8, 0xFF, 0xE1, 0, 4, 0, 0] + Sample.jpeg().dropFirst(2)),
        ("without a frame", [0xFF, 0xD8, 0xFF, 0xDA, 0, 2]),
        ("cut in its header", Array(Sample.jpeg().prefix(75))),
        ("without pixels", Sample.jpeg(width: 0)),
        ("interlaced", changed(Sample.png(), from: [8, 2, 0, 0, 0], to: [8, 2, 0, 0, 1])),
        ("of 16 bits", Sample.png(bits: 16)),
        ("a GIF", Sample.gif()),
        ("text", Array("text".utf8)),
    ]

    private static func changed(
        _ bytes: [UInt8], from old: [UInt8], to new: [UInt8]
    ) -> [UInt8] {
        Array(bytes.replacing(old, with: new, maxReplacements: 1))
    }

    @Test("A picture that is not ready to show is processed", arguments: unready.map(\.name))
    func unready(name: String) async throws {
        let bytes = try #require(Self.unready.first { $0.name == name }?.bytes)
        #expect(bytes != Sample.jpeg() && bytes != Sample.png())
        #expect(try await deliver(bytes).isDecoded)
    }

    @Test("A picture over a limit is processed")
    func limits() async throws {
        let bytes = Sample.jpeg(width: 100, height: 100, padding: 100)
        #expect(try await deliver(bytes, { $0.renderBudget = ByteCount(39_999) }).isDecoded)
        #expect(try await !deliver(bytes, { $0.renderBudget = ByteCount(40_000) }).isDecoded)
        let length = bytes.count
        #expect(
            try await deliver(bytes) { $0.attachmentLimits.picture = ByteCount(length - 1) }
                .isDecoded)
    }

    @Test("Only a note with a file and a URL names a published rendition")
    func found() throws {
        let digest = ContentDigest(of: "bytes")
        let published = try #require(PublishedRendition(of: notification(digest)))
        #expect(published.digest == digest)
        #expect(published.url.absoluteString.hasPrefix("https://e.com/"))
        #expect(PublishedRendition(of: try notification(digest) { $0.rendition = nil }) == nil)
        #expect(
            PublishedRendition(
                of: try notification(digest) { $0.rendition?.file = "ab/picture.jpg" }) == nil)
        // The second attachment is a path, and there is no third one.
        #expect(PublishedRendition(of: try notification(digest) { $0.index = 1 }) == nil)
        #expect(PublishedRendition(of: try notification(digest) { $0.index = 2 }) == nil)
        let negative = try APNsPayload(
            parsing: #"""
                {"att":{"a":"https://e.com/a"},"thimble":{"outcome":"rendition","index":-1,
                 "rendition":"\#(digest.rawValue.prefix(2))/\#(digest.rawValue).jpg","type":"public.jpeg"}}
                """#.utf8)
        #expect(PublishedRendition(of: negative.content(identifier: "one")) == nil)
        #expect(
            PublishedRendition(
                of: try notification(digest), notePath: JSONPath(keys: "elsewhere")) == nil)
    }
}
