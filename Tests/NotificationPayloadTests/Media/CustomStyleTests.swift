import NotificationPayload
import Testing

@Suite("Custom payload styles", .timeLimit(.minutes(1)))
struct CustomStyleTests {
    @Test("The first path with an attachment counts, with the type hint of the same entry")
    func paths() throws {
        let style = try PayloadStyle(
            parsing: #"[ "a.b" , {"path":"c.url","type":"c.kind"}, {"path":"d"} ]"#.utf8)
        for (text, expected) in [
            (#"{"a":{"b":"1"},"c":{"url":"2","kind":"webp"}}"#, ["0 1 -"]),
            (#"{"a":{"b":7},"c":{"url":"2","kind":"webp"},"d":"3"}"#, ["0 2 webp"]),
            (
                #"{"c":{"kind":"webp"},"d":["3",{"url":"4","id":"x","type":"png"}]}"#,
                ["0 3 -", "x 4 png"]
            ),
            (#"{"d":{}}"#, []),
        ] {
            let found = try payload(text).attachments(style)
            #expect(
                found.map { "\($0.identifier) \($0.location) \($0.typeHint ?? "-")" } == expected)
        }
        #expect(style.name == "a.b, c.url, d")
    }

    @Test("A hint named by a custom path is replaced with the location")
    func hint() throws {
        let style = try PayloadStyle(parsing: #"[{"path":"p","type":"t"}]"#.utf8)
        let payload = try payload(#"{"p":"a.webp","t":"image/webp"}"#)
        let reference = try #require(payload.attachments(style).first)
        let edit = payload.replacing(
            reference, with: "b.jpg", rendition: .init(file: "ab/cd.jpg", type: "public.jpeg"))
        #expect(edit.payload.text == #"{"p":"b.jpg","t":"image/jpeg"}"#)
    }

    @Test(
        "An invalid style is refused with the offset",
        arguments: [
            ("", .empty, 0), ("{}", .wrongShape, 0), (" []", .wrongShape, 1),
            (#"["a", 7]"#, .wrongShape, 6), (#"["a..b"]"#, .invalidPath, 1),
            (#"[{"type":"a"}]"#, .wrongShape, 1), (#"[{"path":"a","kind":"b"}]"#, .wrongShape, 13),
            (#"[{"path":["a"]}]"#, .wrongShape, 9), (#"["a"#, .truncated, 3),
        ] as [(String, PayloadError.Code, Int)])
    func invalid(text: String, code: PayloadError.Code, offset: Int) throws {
        let error = #expect(throws: PayloadError.self) { try PayloadStyle(parsing: text.utf8) }
        #expect(error?.code == code && error?.offset == offset)
    }

    @Test("A style has at most 100 paths")
    func limit() throws {
        let text = { (count: Int) in
            "[" + (0..<count).map { "\"k\($0)\"" }.joined(separator: ",") + "]"
        }
        #expect(throws: Never.self) { try PayloadStyle(parsing: text(100).utf8) }
        #expect(throws: PayloadError.self) { try PayloadStyle(parsing: text(101).utf8) }
    }
}
