import AttachmentContainer
import Foundation
import NotificationContentAdapter
import NotificationPayload
import Testing

@Suite("The payload's note in a content extension", .timeLimit(.minutes(1)))
struct NotePreviewTests {
    private let display = Display(width: 400, scale: 3, initialContentSizeRatio: 0.6)
    private let placeholder = ThumbHash(uniform: Colour(red: 200, green: 80, blue: 40))

    /// A payload's `userInfo`, as the system gives it.
    private func userInfo(_ json: String) throws -> [AnyHashable: Any] {
        try #require(
            JSONSerialization.jsonObject(with: Data(json.utf8)) as? [AnyHashable: Any])
    }

    private func content(_ json: String, at path: JSONPath = APNsPayload.notePath) throws
        -> DisplayContent
    {
        let preview = DisplayContent.Preview(
            DeliveryNote(userInfo: try userInfo(json), at: path))
        return .previewing(preview, on: display)
    }

    @Test("Placeholder, colour and ratio are those that the server wrote")
    func written() throws {
        let payload = try APNsPayload(parsing: #"{"aps":{"alert":"New"}}"#.utf8)
        let note = DeliveryNote(
            outcome: .rendition, contentSizeRatio: 1.25, placeholder: placeholder.rawValue,
            averageColour: "#c85028")
        let json = String(decoding: payload.adding(note).payload.bytes, as: UTF8.self)
        let content = try content(json)
        #expect(content.contentSizeRatio == 1.25)
        #expect(content.placeholder == placeholder)
        #expect(content.averageColour == Colour(red: 200, green: 80, blue: 40))
        #expect(content.picture == nil && content.absence == .unknown)
    }

    @Test("A picture inside the note gives the ratio, unless the note has one")
    func inlinePicture() throws {
        // 95 × 64 pixels, and a frame without meaning.
        let text = try InlinePicture(bytes: [1, 6, 94, 63, 0, 0]).text
        let note = #""outcome":"rendition","inline":"\#(text)""#
        #expect(try content(#"{"thimble":{\#(note)}}"#).contentSizeRatio == 64.0 / 95)
        #expect(try content(#"{"thimble":{\#(note),"ratio":0.5}}"#).contentSizeRatio == 0.5)
        let broken = #"{"thimble":{"outcome":"rendition","inline":"\#(text)="}}"#
        #expect(try content(broken) == .neutral(on: display))
    }

    @Test("A note at another path is found there, and nowhere else")
    func path() throws {
        let json = #"{"data":{"note":{"outcome":"rendition","ratio":0.5}}}"#
        #expect(try content(json, at: JSONPath(keys: "data", "note")).contentSizeRatio == 0.5)
        #expect(try content(json) == .neutral(on: display))
        #expect(try content(json, at: JSONPath(keys: "data", "x")) == .neutral(on: display))
    }

    @Test("A placeholder alone gives the colour and roughly the ratio")
    func placeholderAlone() throws {
        let wide = try #require(
            ThumbHash(
                width: 40, height: 20,
                rgba: Array(repeating: [200, 80, 40, 255], count: 800).flatMap(\.self)))
        let content = try content(
            #"{"thimble":{"outcome":"rendition","placeholder":"\#(wide.rawValue)"}}"#)
        #expect(content.placeholder == wide)
        #expect(content.averageColour == wide.averageColour)
        #expect(content.contentSizeRatio == wide.approximateRatio)
        #expect(content.contentSizeRatio < 0.7)
    }

    @Test("A colour alone colours the placeholder and keeps the initial ratio")
    func colourAlone() throws {
        let content = try content(##"{"thimble":{"outcome":"original","colour":"#102030"}}"##)
        let colour = Colour(red: 16, green: 32, blue: 48)
        #expect(content.averageColour == colour)
        #expect(content.placeholder == ThumbHash(uniform: colour))
        #expect(content.contentSizeRatio == 0.6)
    }

    @Test(
        "A stranger's note is ignored where it is implausible",
        arguments: [
            #"{"thimble":{"outcome":"rendition","ratio":1e300}}"#,
            #"{"thimble":{"outcome":"rendition","ratio":-1,"colour":"red","placeholder":"%%"}}"#,
            #"{"thimble":{"outcome":"rendition","ratio":0,"placeholder":"AAAA"}}"#,
            #"{"thimble":{"ratio":0.5}}"#, #"{"thimble":[0.5]}"#, #"{"thimble":"x"}"#, "{}",
        ])
    func implausible(json: String) throws {
        #expect(try content(json) == .neutral(on: display))
    }

    @Test("Values of a local notification that JSON does not have are no note")
    func notJSON() {
        let userInfo: [AnyHashable: Any] = [
            "thimble": ["outcome": "rendition", "date": Date()] as [String: Any]
        ]
        #expect(DeliveryNote(userInfo: userInfo) == nil)
        #expect(DeliveryNote(userInfo: [1: 2]) == nil)
    }

    @Test("The container's own content comes before the note's")
    func container() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("thimble-note-\(UUID().uuidString)", isDirectory: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try SharedContainer.create(at: folder)
        let preview = DisplayContent.Preview(contentSizeRatio: 2)
        #expect(
            container.content(for: "one", on: display, preview: preview).contentSizeRatio == 2)
        let manifest = Manifest(
            identifier: "one",
            source: Manifest.Source(
                format: "wav", coding: "pcm", size: .zero, bytes: ByteCount(1),
                sha256: ContentDigest(of: "a")),
            settings: "s", renditions: [], contentSizeRatio: 0.5, placeholder: placeholder,
            averageColour: Colour(red: 1, green: 2, blue: 3), rung: "passed-through")
        try Publication(in: container).commit(manifest)
        let content = container.content(for: "one", on: display, preview: preview)
        #expect(content.contentSizeRatio == 0.5 && content.placeholder == placeholder)
    }
}
