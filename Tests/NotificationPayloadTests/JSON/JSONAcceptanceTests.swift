import Foundation
import NotificationPayload
import Testing

@Suite("Agreement with JSONSerialization", .timeLimit(.minutes(1)))
struct JSONAcceptanceTests {
    private func accepts(_ bytes: [UInt8]) -> (ours: Bool, theirs: Bool) {
        (
            (try? JSONDocument(parsing: bytes)) != nil,
            (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
                != nil
        )
    }

    @Test(
        "Valid documents of every kind are accepted by both",
        arguments: [
            "{}", "[]", "null", "true", "false", "0", "-0", "-1.5E-3", "1e3", #""""#, #""a""#,
            #"{"":{"":[]}}"#, " [ 1 , 2 ] ", "\r\n\t[]\n", #"["\u0000","\uD834\uDD1E","\/"]"#,
            #"{"a":1,"a":2}"#, "[\"\u{7F}\u{2028}\u{10FFFF}\"]", "12345678901234567890",
            #"{"a":{"b":[{"c":[[[]]]}]}}"#, "[\"\u{FEFF}\"]",
        ])
    func valid(text: String) {
        let accepted = accepts(Array(text.utf8))
        #expect(accepted.ours && accepted.theirs)
    }

    @Test(
        "Invalid documents of every well-known kind are rejected by both",
        arguments: [
            "", " ", "{", "[", "}", "{]", "[}", #"{"a"}"#, #"{"a":}"#, "{1:2}", "[,]",
            "[1 2]", "[1:2]", "'a'", "{'a':1}", "{a:1}", "+1", "01", "-", ".5", "1.",
            "1e", "0x1", "NaN", "Infinity", "-Infinity", "True", "nul", "undefined", #""a"#,
            "\"a\nb\"", "\"\u{1}\"", #""\x""#, #""\u12""#, #""\u12G4""#, "[1]x", "[1] [2]",
            "//a\n[]",
            "[1/*a*/]", #""\ud800\u0041""#, "[1}", #"{"a":1 "b":2}"#, "tru", "[-]", "[--1]",
            "1.2.3",
        ])
    func invalid(text: String) {
        let accepted = accepts(Array(text.utf8))
        #expect(!accepted.ours && !accepted.theirs)
    }

    @Test("A trailing comma is rejected", arguments: ["[1,]", #"{"a":1,}"#, "[[],]"])
    func trailingComma(text: String) {
        #expect(!accepts(Array(text.utf8)).ours)
    }

    @Test("Random documents differ only in huge numbers and trailing commas")
    func differences() {
        var seen: [String: Int] = [:]
        var random = RandomJSON(seed: 4)
        for _ in 0..<4_000 {
            var bytes = Array(random.document().utf8)
            let index = Int.random(in: bytes.indices, using: &random.random)
            switch Int.random(in: 0..<3, using: &random.random) {
            case 0:
                bytes[index] =
                    Array(#"{}[]":,.-+eE019\untf/ '"#.utf8).randomElement(using: &random.random)
                    ?? 0
            case 1: bytes.remove(at: index)
            default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random.random)
            }
            let accepted = accepts(bytes)
            guard accepted.ours != accepted.theirs else {
                seen[accepted.ours ? "both" : "neither", default: 0] += 1
                continue
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if accepted.ours {
                // Foundation converts numbers, and rejects those out of a double's range.
                #expect(text.contains(/[0-9][eE]/), "\(text)")
            } else {
                // Foundation on Linux accepts a trailing comma.
                #expect(text.contains(/,[ \n\r\t]*[\]}]/), "\(text)")
            }
        }
        #expect(seen["both", default: 0] > 500 && seen["neither", default: 0] > 500, "\(seen)")
    }
}
