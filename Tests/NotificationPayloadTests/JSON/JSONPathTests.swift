import NotificationPayload
import Testing

@Suite("JSON paths", .timeLimit(.minutes(1)))
struct JSONPathTests {
    @Test(
        "Paths survive a round trip through the grammar",
        arguments: [
            ("a", [.key("a")]), ("a.b[0].c", [.key("a"), .key("b"), .index(0), .key("c")]),
            (#"gcm\.message_id"#, [.key("gcm.message_id")]), ("[12][3]", [.index(12), .index(3)]),
            (#"a\[0\].b\\c"#, [.key("a[0]"), .key(#"b\c"#)]),
            ("é ü.\"", [.key("é ü"), .key("\"")]),
            ("[0].a", [.index(0), .key("a")]), ("0.-1", [.key("0"), .key("-1")]),
            ("a[99999999]", [.key("a"), .index(99_999_999)]),
        ] as [(String, [JSONPath.Step])])
    func grammar(text: String, steps: [JSONPath.Step]) throws {
        let path = try path(text)
        #expect(path.steps == steps)
        #expect(path.description == text)
        #expect(JSONPath(steps) == path)
    }

    @Test(
        "Invalid paths are rejected at the offset of the fault",
        arguments: [
            ("", 0), (".", 0), (".a", 0), ("a.", 2), ("a..b", 2), ("a[", 1), ("a[]", 1),
            ("a[-1]", 1), ("a[01]", 1), ("a[1", 1), ("a[1]b", 4), ("a[x]", 1), ("a]", 1),
            (#"a\"#, 1), (#"a\b"#, 1), ("a[999999999]", 1), ("[0].", 4), ("a.[0]", 2),
        ])
    func refused(text: String, offset: Int) throws {
        let error = try #require(throws: PayloadError.self) { try path(text) }
        #expect(error.code == .invalidPath && error.offset == offset)
    }

    @Test("A path finds exactly its value, and the last of duplicates")
    func reading() throws {
        let document = try document(
            #"""
            {"a":{"b":[1,{"c":"x"}]},"a.b":2,"\u0061b":3,"d":4,"d":5,"é":6,"e\u0301":7,"":8,
             "back\\slash":9,"n":null}
            """#)
        func spelling(_ text: String) throws -> String? {
            try document.range(at: path(text)).map {
                String(decoding: document.bytes[$0], as: UTF8.self)
            }
        }
        #expect(try spelling("a.b[0]") == "1")
        #expect(try spelling("a.b[1].c") == #""x""#)
        #expect(try spelling(#"a\.b"#) == "2")
        #expect(try spelling("ab") == "3")
        #expect(try spelling("d") == "5")
        #expect(try spelling("é") == "6")
        #expect(try spelling("e\u{301}") == "7")
        #expect(try spelling(#"back\\slash"#) == "9")
        #expect(try spelling("n") == "null")
        #expect(document.value(at: JSONPath(keys: "")) == .number(JSONNumber(8)))
        #expect(document.value(at: JSONPath([])) == document.root)
        for nothing in ["a.b[2]", "a.c", "a[0]", "b", "d.e", "[0]", "a.b.c", #"\\u0061b"#] {
            #expect(try spelling(nothing) == nil)
        }
    }

    @Test("An edit without a target is rejected")
    func editing() throws {
        let document = try document(#"{"a":[1]}"#)
        for (edit, code) in [
            ({ try document.replacing(path("b"), with: .null) }, .noValue),
            ({ try document.replacing(path("a[1]"), with: .null) }, .noValue),
            ({ try document.setting("x", of: path("b"), to: .null) }, .noValue),
            ({ try document.setting("x", of: path("a"), to: .null) }, .wrongShape),
            ({ try document.removing("x", of: path("a[0]")) }, .wrongShape),
        ] as [(() throws -> JSONDocument, PayloadError.Code)] {
            let error = try #require(throws: PayloadError.self) { _ = try edit() }
            #expect(error.code == code)
        }
    }

    @Test("Members are added, replaced and removed with their commas")
    func commas() throws {
        func edited(_ text: String, _ edit: (JSONDocument) throws -> JSONDocument) throws -> String
        {
            try edit(document(text)).text
        }
        let one = JSONValue.number(JSONNumber(1))
        #expect(try edited("{}") { try $0.setting("a", to: one) } == #"{"a":1}"#)
        #expect(try edited("{ }") { try $0.setting("a", to: one) } == #"{"a":1 }"#)
        #expect(
            try edited("{ \"b\" : 2\n}") { try $0.setting("a\"\n\u{1}", to: one) }
                == "{ \"b\" : 2,\"a\\\"\\n\\u0001\":1\n}")
        #expect(
            try edited(#"{"a":0, "a" : 2}"#) { try $0.setting("a", to: one) }
                == #"{"a":0, "a" : 1}"#)
        for (text, expected) in [
            (#"{"a":1}"#, "{}"), (#"{ "a" : 1 }"#, "{  }"), (#"{"a":1, "b":2}"#, #"{"b":2}"#),
            (#"{"b":2 , "a":1 }"#, #"{"b":2 }"#), (#"{"b":2,"a":1,"c":3}"#, #"{"b":2,"c":3}"#),
            (#"{"a":1,"\u0061":1,"c":3,"a":4}"#, #"{"c":3}"#), (#"{"a":1,"a":2}"#, "{}"),
            (#"{"b":{"a":1}}"#, #"{"b":{"a":1}}"#), ("{}", "{}"),
        ] { #expect(try edited(text) { try $0.removing("a") } == expected) }
    }
}
