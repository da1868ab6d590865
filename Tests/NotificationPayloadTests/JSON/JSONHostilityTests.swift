import AttachmentContainer
import Foundation
import NotificationPayload
import Testing

@Suite("Hostile JSON", .timeLimit(.minutes(1)))
struct JSONHostilityTests {
    private static let sample = #"""
        {"aps" : {"alert":{"title":"Grüße \ud83d\ude42 🙂","loc-args":["a","b\n"]},"badge":-1.5e+3,
          "mutable-content":1},"ok":[true,false,null,[],{}],"fcm_options":{"image":"https://e.com/a"}}
        """#

    private func refusal(_ bytes: some Collection<UInt8>, _ limits: JSONLimits = JSONLimits())
        -> PayloadError?
    {
        do {
            _ = try JSONDocument(parsing: bytes, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "Each fault has its code and offset",
        arguments: [
            ("", .empty, 0), (" \n", .empty, 0), ("\u{FEFF}{}", .byteOrderMark, 0),
            ("{} {}", .trailingBytes, 3), ("{}\0", .trailingBytes, 2), ("{\0}", .nul, 1),
            ("\"\0\"", .nul, 1), ("\"\u{1}\"", .controlCharacter, 1),
            ("\"a\nb\"", .controlCharacter, 2), (#""\x""#, .invalidEscape, 2),
            (#""\u12g4""#, .invalidEscape, 5), (#""\U0041""#, .invalidEscape, 2),
            (#""\ud800""#, .loneSurrogate, 1), (#""a\udc00""#, .loneSurrogate, 2),
            (#""\ud800\u0041""#, .loneSurrogate, 1), (#""\ud800\ud800""#, .loneSurrogate, 1),
            (#""\ud800\n""#, .loneSurrogate, 1), ("01", .invalidNumber, 1),
            ("-a", .invalidNumber, 1), ("1.e5", .invalidNumber, 2), ("[1e+]", .invalidNumber, 4),
            ("+1", .unexpectedByte, 0), (".5", .unexpectedByte, 0), ("NaN", .unexpectedByte, 0),
            ("-Infinity", .invalidNumber, 1), ("0x10", .trailingBytes, 1),
            ("[1,]", .unexpectedByte, 3), ("[,1]", .unexpectedByte, 1),
            ("[1 2]", .unexpectedByte, 3),
            (#"{"a":1,}"#, .unexpectedByte, 7), (#"{a:1}"#, .unexpectedByte, 1),
            (#"{"a" 1}"#, .unexpectedByte, 5), (#"{"a":}"#, .unexpectedByte, 5),
            (#"{"a":1]"#, .unexpectedByte, 6), ("[1}", .unexpectedByte, 2),
            ("]", .unexpectedByte, 0),
            ("'a'", .unexpectedByte, 0), ("tru3", .unexpectedByte, 3), ("// a", .unexpectedByte, 0),
            ("[", .truncated, 1), (#"{"a""#, .truncated, 4), ("nul", .truncated, 3),
            ("-", .truncated, 1), ("[1.", .truncated, 3), (#""\u00"#, .truncated, 5),
            (#""\ud83d\u"#, .truncated, 9), ("\"a", .truncated, 2),
        ] as [(String, PayloadError.Code, Int)])
    func faults(text: String, code: PayloadError.Code, offset: Int) throws {
        let error = try #require(refusal(text.utf8))
        #expect(error.code == code && error.offset == offset, "\(error)")
    }

    @Test(
        "Invalid UTF-8 is rejected at its first byte",
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC1, 0x81], [0xC3, 0x28], [0xE0, 0x80, 0x80],
            [0xE2, 0x28, 0xA1],
            [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80],
            [0xFF, 0xFE], [0xE2, 0x82, 0x22], [0xF0, 0x9F, 0x99, 0x22],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) throws {
        let error = try #require(refusal(Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)))
        #expect(error.code == .invalidUTF8 && error.offset == 6)
    }

    @Test("Every truncation is reported as such, at its end")
    func truncations() throws {
        let bytes = Array(Self.sample.utf8)
        #expect(refusal(bytes) == nil)
        for count in 1..<bytes.count {
            let error = try #require(refusal(bytes[..<count]))
            #expect(error.code == .truncated && error.offset == count, "\(count): \(error)")
        }
    }

    @Test("Every bit flip gives a document of the same bytes or a typed error")
    func flips() throws {
        let original = Array(Self.sample.utf8)
        var accepted = 0
        for index in original.indices {
            for bit in 0..<8 {
                var bytes = original
                bytes[index] ^= 1 << bit
                guard let document = try? JSONDocument(parsing: bytes) else { continue }
                accepted += 1
                #expect(document.bytes == bytes)
                // An accepted document must be valid throughout.
                let copy = try JSONDocument(parsing: document.root.encoded())
                #expect(copy.root == document.root)
                #expect(String(validating: bytes, as: UTF8.self) != nil)
            }
        }
        #expect(accepted > 200 && accepted < original.count * 8 / 2)
    }

    @Test(
        "Deep nesting is rejected at the limit, at any depth",
        arguments: [("[", "]"), (#"{"a":"#, "}")])
    func depth(opening: String, closing: String) throws {
        func nested(_ count: Int) -> String {
            String(repeating: opening, count: count) + "1"
                + String(repeating: closing, count: count)
        }
        #expect(refusal(nested(128).utf8) == nil)
        let error = try #require(refusal(nested(129).utf8))
        #expect(error.code == .tooDeep && error.offset == 128 * opening.utf8.count)
        #expect(refusal(nested(100_000).utf8)?.code == .tooDeep)
        #expect(refusal(String(repeating: opening, count: 100_000).utf8)?.code == .tooDeep)
        // The highest limit, on the small stack of a secondary thread.
        let limits = JSONLimits(maximumDepth: .max)
        #expect(refusal(nested(257).utf8, limits)?.code == .tooDeep)
        let deep = nested(256)
        let written = Written()
        let thread = Thread {
            let root = try? JSONDocument(parsing: deep.utf8, limits: limits).root
            written.bytes.withLock { $0 = (try? root?.encoded(maximumDepth: .max)) ?? [] }
        }
        thread.stackSize = 512 << 10
        thread.start()
        while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
        #expect(written.bytes.withLock(\.self) == Array(deep.utf8))
        let inner = try document(nested(128)).root
        #expect(throws: PayloadError.self) { try JSONValue.array([inner]).encoded() }
        #expect(throws: PayloadError.self) {
            try document(#"{"a":1}"#).replacing(path("a"), with: inner)
        }
    }

    @Test("A payload of 100 MB is rejected without parsing, and the limit is exact")
    func size() throws {
        let error = try #require(refusal(repeatElement(UInt8(ascii: "["), count: 100_000_000)))
        #expect(error.code == .tooLarge && error.reason.contains("16777216"))
        let text = #"{"a":"b"}"#
        let exact = JSONLimits(maximumBytes: text.utf8.count)
        #expect(refusal(text.utf8, exact) == nil)
        #expect(refusal((text + " ").utf8, exact)?.code == .tooLarge)
        let document = try JSONDocument(parsing: text.utf8, limits: exact)
        let tooLong = #expect(throws: PayloadError.self) {
            try document.replacing(path("a"), with: .string("bc"))
        }
        #expect(tooLong?.code == .tooLarge)
    }

    @Test("More values than the limit are rejected")
    func values() throws {
        let text = #"{"a":[1,2]}"#
        #expect(refusal(text.utf8, JSONLimits(maximumValues: 5)) == nil)
        #expect(refusal(text.utf8, JSONLimits(maximumValues: 4))?.code == .tooMany)
        #expect(refusal(text.utf8, JSONLimits(maximumValues: -1))?.code == .tooMany)
        let many = "[" + String(repeating: "1,", count: 600_000) + "1]"
        #expect(refusal(many.utf8)?.code == .tooMany)
    }

    @Test("Huge numbers keep their spelling and have no false value")
    func hugeNumbers() throws {
        let digits = String(repeating: "9", count: 100_000)
        for (text, double, integer) in [
            (digits, nil, nil), ("-" + digits, nil, nil), ("1e999999999999", nil, nil),
            ("0." + digits, 1, 1), ("1e-999999999999", 0, 0), ("1E3", 1_000, 1_000),
            ("12345678901234567890", 12_345_678_901_234_567_168, nil),
            ("9223372036854775807", 0x1p63, .max), ("-0", 0, 0),
            ("9007199254740993.0", 9_007_199_254_740_992, 9_007_199_254_740_992), ("1.5", 1.5, nil),
        ] as [(String, Double?, Int?)] {
            let number = try #require(document(text).root.number)
            #expect(number.spelling == text)
            #expect(number.double == double && number.integer == integer, "\(text.prefix(30))")
            #expect(JSONNumber(spelling: text) == number)
        }
        for text in ["", "1 ", "+1", "01", "1.", "abc", "1e", "-"] {
            #expect(JSONNumber(spelling: text) == nil)
        }
        #expect(JSONNumber(.infinity) == nil && JSONNumber(0.1)?.spelling == "0.1")
    }

    @Test("Errors and descriptions never quote the payload")
    func privacy() throws {
        for text in [#"{"secret":"secret"#, #"{"secret":secret}"#, #"["secret" "secret"]"#] {
            let error = try #require(refusal(text.utf8))
            #expect(!error.detailedDescription.contains("secret"))
            #expect(error.detailedDescription.hasPrefix("[\(error.code.rawValue)] byte "))
            #expect(error.description.hasSuffix(error.code.remedy))
        }
        let document = try document(#"{"secret":["secret"]}"#)
        for text in [
            "\(document)", document.debugDescription, "\(document.root)",
            "\(document.root.members?[0] as Any)",
        ] { #expect(!text.contains("secret")) }
        #expect(Set(PayloadError.Code.allCases.map(\.rawValue)).count > 15)
        #expect(PayloadError.Code.allCases.allSatisfy { !$0.remedy.isEmpty })
    }
}

/// The output of another thread.
private final class Written: Sendable {
    let bytes = Lock<[UInt8]>([])
}
