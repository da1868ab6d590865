import NotificationPayload
import Testing

@Suite("Splitting a stream", .timeLimit(.minutes(1)))
struct PayloadSplitterTests {
    /// All pieces of a stream in chunks of a size.
    private func pieces(
        _ text: String, chunk: Int = .max, limits: JSONLimits = JSONLimits()
    ) -> [PayloadSplitter.Piece] {
        var splitter = PayloadSplitter(limits: limits)
        var pieces: [PayloadSplitter.Piece] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            pieces += splitter.append(rest.prefix(chunk))
            rest = rest.dropFirst(chunk)
        }
        return pieces + splitter.finish()
    }

    private static let pretty = "{\n  \"aps\" : {\n    \"a\" : [\n{}\n    ]\n  }\n}"

    @Test(
        "Documents have their lines, for any chunk size",
        arguments: [
            ("", [], []), (" \n\n", [], []), ("{}", ["1: {}"], []), ("{}\n", ["1: {}"], []),
            (pretty, ["1: \(pretty)"], []), ("\n\(pretty)\n\n", ["2: \(pretty)"], []),
            ("{}\n{}\n", ["1: {}", "2: {}"], []), ("{}\r\n\r\n {} \r\n", ["1: {}", "3: {}"], []),
            ("{\"a\":1}\n\n[2]", [#"1: {"a":1}"#], ["3: wrong-shape"]),
            ("[\n{}\n]\n", ["2: {}"], []),
            ("[]\n[[]]\n", [], ["1: wrong-shape", "2: wrong-shape"]),
            ("[{\"to\":1} , {\n}]\n", [#"1: {"to":1}"#, "1: {\n}"], []),
            (
                "[\n {\"a\":[]},\n\n 7,\n{}]\n{}", [#"2: {"a":[]}"#, "5: {}", "6: {}"],
                ["4: wrong-shape"]
            ),
            ("[{}]\n[{},{}", ["1: {}"], ["2: truncated"]),
            ("{\"a\":1\n{\"b\":1\n{}\n", ["3: {}"], ["1: truncated", "2: truncated"]),
            ("junk\n\(pretty)\n{}\n", ["2: \(pretty)", "9: {}"], ["1: unexpected-byte"]),
            ("{\n \"a\" : ]\n  {}\n}\n{}\n", ["5: {}"], ["2: unexpected-byte"]),
            ("{}\n{\n{}\n}", ["1: {}", "3: {}"], ["2: truncated", "4: unexpected-byte"]),
            ("{\"a\":\n{\"b\":1}\n{}\n", [#"2: {"b":1}"#, "3: {}"], ["1: truncated"]),
            ("{\"a\n{}\n", ["2: {}"], ["1: truncated"]),
            ("junk\n\n{}\n", ["3: {}"], ["1: unexpected-byte"]),
            (
                "junk\nmore\n{\"a\":1}\nrest\n", [#"3: {"a":1}"#],
                ["1: unexpected-byte", "2: unexpected-byte", "4: unexpected-byte"]
            ),
            ("{} {}\n{}", ["2: {}"], ["1: trailing-bytes"]),
            ("{\n \"a\" : 1,\n \"b\" : ]\n}\n", [], ["3: unexpected-byte"]),
            ("{\n \"a\" : [\n  {}\n }\n}\n", [], ["4: unexpected-byte"]),
            ("{\n \"a\" : 1,\n", [], ["2: truncated"]), ("{\n", [], ["1: truncated"]),
            ("{\"a\":\n{\"b\":1}\n", [#"2: {"b":1}"#], ["1: truncated"]),
            ("\u{FEFF}{}\n{}\n", ["2: {}"], ["1: byte-order-mark"]),
            ("{}\n{}\0\n{}", ["1: {}", "3: {}"], ["2: trailing-bytes"]),
        ] as [(String, [String], [String])])
    func documents(text: String, documents: [String], refusals: [String]) {
        for chunk in [1, 2, 3, 7, .max] {
            let pieces = pieces(text, chunk: chunk)
            #expect(pieces.documents == documents && pieces.refusals == refusals)
            #expect(pieces.stream == text)
            #expect(!pieces.contains(.verbatim([])))
        }
    }

    @Test("A complete line is returned immediately, even after a damaged first one")
    func prompt() {
        var splitter = PayloadSplitter()
        #expect(splitter.append("{\"a\":1}".utf8).isEmpty)
        #expect(splitter.append("\n{".utf8).documents == [#"1: {"a":1}"#])
        #expect(splitter.append("}\n".utf8).documents == ["2: {}"])
        #expect(splitter.finish().isEmpty)
        // A string cannot continue on the next line.
        #expect(splitter.append("{\"a\":\"\n".utf8).refusals == ["1: truncated"])
        #expect(splitter.append("{\"b\":1}\n".utf8).documents == [#"2: {"b":1}"#])
        #expect(splitter.append("{}\n".utf8).documents == ["3: {}"])
        #expect(splitter.finish().isEmpty)
        // Truncated so that the second line could continue the first.
        #expect(splitter.append("{\"a\":\n{\"b\":1}\n".utf8).isEmpty)
        #expect(splitter.append("{\"c\":1}\n".utf8).documents == [#"2: {"b":1}"#, #"3: {"c":1}"#])
    }

    @Test("A long multi-line document is parsed once")
    func long() {
        let lines = (0..<40_000).map { " \"key \($0)\" : [ 1.0, true ]" }
        let text = "{\n" + lines.joined(separator: ",\n") + "\n}\n"
        var splitter = PayloadSplitter()
        var pieces: [PayloadSplitter.Piece] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            pieces += splitter.append(rest.prefix(1_000))
            rest = rest.dropFirst(1_000)
        }
        #expect(pieces.documents == ["1: \(text.dropLast())"] && pieces.stream == text)
        #expect(splitter.parsedBytes <= text.utf8.count)
    }

    @Test(
        "Invalid lines are parsed at most twice, and at most 1,000 are buffered",
        arguments: [
            ("}", "x"), ("}", "{\"a\":"), ("", "{"), ("", "["), ("{", "}"), ("{\"a\":", "{}"),
            ("{}", "{"), ("", "{\"a\":["), ("[", "1 2"), ("", "{}{}"), ("{\"a\":[\n{},", "{},"),
        ])
    func garbage(first: String, line: String) {
        let text = first + "\n" + String(repeating: line + "\n", count: 60_000)
        var splitter = PayloadSplitter()
        var pieces: [PayloadSplitter.Piece] = []
        var kept = 0
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            pieces += splitter.append(rest.prefix(65_536))
            rest = rest.dropFirst(65_536)
            kept = max(kept, splitter.keptBytes)
        }
        pieces += splitter.finish()
        #expect(pieces.stream == text)
        // The last case may be one document until its end.
        if line != "{}," { #expect(kept < 20_000) }
        #expect(splitter.parsedBytes <= 2 * text.utf8.count + 10_000)
        #expect(pieces.refusals.count <= 1_000)
    }

    @Test("Lines after 1,000 refused ones are merged, and payloads among them are found")
    func together() {
        let bad = String(repeating: "bad\n", count: 1_500)
        let text = bad + " {} \n" + bad + "{\"a\":\n\n" + bad + "{}"
        let pieces = pieces(text, chunk: 4_096)
        #expect(pieces.stream == text && pieces.documents == ["1501: {}", "4504: {}"])
        #expect(pieces.refusals.count == 2_000)
        var lines: [Int] = []
        for case .refusedLines(_, let range) in pieces { lines += range }
        #expect(lines == Array(1_001...1_500) + Array(2_502...4_503))
    }

    @Test("An oversized document is passed on in parts, and later documents are read")
    func tooLarge() {
        let limits = JSONLimits(maximumBytes: 100)
        let long = "{\"a\":\"" + String(repeating: "x", count: 1_000) + "\"}"
        for (text, documents, refusals) in [
            ("\(long)\n{}\n", ["2: {}"], ["1: too-large"]),
            ("{}\n\(long)\n\n{}", ["1: {}", "4: {}"], ["2: too-large"]),
            ("{}\n\(long)", ["1: {}"], ["2: too-large"]),
            ("{\n\(long)\n{}\n", ["3: {}"], ["1: too-large"]),
            ("{ ]\n\(long)\n {}\n", ["3: {}"], ["1: unexpected-byte", "2: too-large"]),
        ] {
            for chunk in [1, 64, 5_000] {
                let pieces = pieces(text, chunk: chunk, limits: limits)
                #expect(pieces.documents == documents && pieces.refusals == refusals)
                #expect(pieces.stream == text)
                #expect(chunk > 100 || pieces.allSatisfy { $0.bytes.count <= 102 + chunk })
            }
        }
        let exact = "{\"a\":\"" + String(repeating: "x", count: 92) + "\"}"
        let lines = exact + "\r\n" + exact + "\n"
        #expect(pieces(lines, limits: limits).documents == ["1: \(exact)", "2: \(exact)"])
        let over = "{ \(exact.dropFirst())\n"
        for (text, documents) in [("\(over){}", ["2: {}"]), ("\(over)\(over){}\n", ["3: {}"])] {
            let pieces = pieces(text, limits: limits)
            #expect(!pieces.refusals.isEmpty)
            #expect(pieces.refusals.allSatisfy { $0.hasSuffix("too-large") })
            #expect(pieces.documents == documents && pieces.stream == text)
        }
    }

    @Test("A line of 100 MB is refused once and passes through in pieces of less than 18 MB")
    func enormous() {
        var splitter = PayloadSplitter()
        let chunk = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        var (refused, count) = (0, 0)
        for _ in 0..<100 {
            for piece in splitter.append(chunk) {
                count += piece.bytes.count
                if case .refused(_, let error) = piece {
                    refused += 1
                    #expect(error.code == .tooLarge && piece.bytes.count < 18_000_000)
                }
            }
        }
        #expect(refused == 1 && count == 100_000_000 && splitter.finish().isEmpty)
        #expect(splitter.append("{}".utf8).isEmpty && splitter.finish().documents == ["1: {}"])
    }

    @Test("Random streams pass through unchanged, and every valid line is found")
    func random() throws {
        var random = RandomJSON(seed: 6)
        for _ in 0..<300 {
            var text = ""
            var good = 0
            for line in 0..<Int.random(in: 1...8, using: &random.random) {
                // On one line, as in NDJSON.
                let document = random.document().filter { !$0.isNewline }
                    .drop(while: \.isWhitespace)
                switch Int.random(in: 0..<4, using: &random.random) {
                case 0 where line > 0:
                    text += document.prefix(upTo: document.lastIndex(of: "}") ?? document.endIndex)
                case 1: text += " "
                default:
                    text += document
                    good += 1
                }
                text += "\n"
            }
            let chunk = Int.random(in: 1...40, using: &random.random)
            let pieces = pieces(text, chunk: chunk)
            #expect(pieces.stream == text && pieces.documents.count == good, "\(text)")
        }
    }
}
