import NotificationPayload
import Testing

@Suite("Type hints beside a location", .timeLimit(.minutes(1)))
struct TypeHintTests {
    /// A payload of a style, with its type hint.
    private static let styles: [@Sendable (_ location: String, _ hint: String) -> String] = [
        { #"{"ab" : {"att":{"type":"\#($1)", "url":"\#($0)"}},"n":1.0}"# },
        { #"{"ct_mediaUrl":"\#($0)","x":[1e0],"ct_mediaType" : "\#($1)"}"# },
        { #"{"attachment":[{"url":"\#($0)","type":"\#($1)"}],"type":"webp"}"# },
        {
            #"{"com.urbanairship.media_attachment":{"urls":[{"url":"\#($0)","type":"\#($1)"}]},"#
                + #""type":"webp"}"#
        },
    ]

    @Test(
        "A contradictory hint is replaced in its own notation, and all other bytes stay",
        arguments: [
            ("webp", "jpg"), ("jpeg", "jpeg"), ("JPG", "JPG"), (".heic", ".jpg"), ("png", "jpg"),
            ("image", "image"), ("photo", "photo"), ("video", "image"),
            ("image/webp", "image/jpeg"),
            ("image/jpeg", "image/jpeg"), ("org.webmproject.webp", "public.jpeg"),
            ("public.jpeg", "public.jpeg"), ("promotion", "promotion"), ("", ""), ("mp4", "jpg"),
        ])
    func replaced(hint: String, expected: String) throws {
        let rendition = DeliveryNote.Rendition(file: "ab/abcd.jpg", type: "public.jpeg")
        for style in Self.styles {
            let payload = try payload(style("a.webp", hint))
            let reference = try #require(payload.attachments().first)
            let edit = payload.replacing(
                reference, with: "https://e.com/a.jpg", rendition: rendition)
            #expect(edit.outcome == .complete)
            #expect(edit.payload.text == style("https://e.com/a.jpg", expected))
        }
    }

    @Test("Animations, sound and movies have their own hints")
    func others() throws {
        for (file, type, hint, expected) in [
            ("ab/a.gif", "com.compuserve.gif", "webp", "gif"),
            ("ab/a.gif", "com.compuserve.gif", "image/webp", "image/gif"),
            ("ab/a.mp4", "public.mpeg-4", "image", "video"),
            ("ab/a.m4a", "public.mpeg-4-audio", "audio/x-m4a", "audio/mp4"),
            ("ab/a.png", "public.png", "public.webp", "public.png"),
        ] {
            let payload = try payload(Self.styles[0]("a", hint))
            let reference = try #require(payload.attachments().first)
            let edit = payload.replacing(
                reference, with: "b", rendition: .init(file: file, type: type))
            #expect(edit.payload.text == Self.styles[0]("b", expected))
        }
    }

    @Test("If location and hint together do not fit, neither is changed")
    func noRoom() throws {
        let payload = try payload(Self.styles[0]("a.webp", "webp"))
        let reference = try #require(payload.attachments().first)
        let edit = payload.replacing(
            reference, with: "https://e.com/a.jpg", rendition: .init(file: "a.jpg", type: "x"),
            limit: payload.size + 5)
        #expect(edit.outcome == .noRoom && edit.payload == payload)
    }
}
