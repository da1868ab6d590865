import Foundation
import Testing

@Suite("thimble check", .timeLimit(.minutes(1)))
struct CheckTests {
    private static let example =
        "--payload Examples/DailyPick/payload.json --profile Examples/DailyPick/Content/Info.plist"

    /// The JSON report.
    private struct Report: Decodable {
        struct Finding: Decodable {
            let code, severity, message, remedy: String
        }

        struct Unchecked: Decodable {
            let flag: String
        }

        let findings: [Finding]
        let unchecked: [Unchecked]
    }

    @Test("The example has no findings")
    func example() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell("thimble check \(Self.example)", in: folder)
            #expect(run.code == 0, "\(run.output)\(run.errors)")
            #expect(run.output.contains("0 errors, 0 warnings, 0 notes"))
        }
    }

    @Test("A category that differs by one letter is reported in text and JSON")
    func nearMiss() throws {
        try WorkingFolder.with { folder in
            let line =
                "sed 's/daily-pick/daily-picks/' "
                + "Examples/DailyPick/payload.json > push.json; thimble check --payload push.json "
                + "--profile Examples/DailyPick/Content/Info.plist"
            let text = try Command.shell(line, in: folder)
            #expect(text.code == 3, "\(text.output)\(text.errors)")
            let json = try Command.shell(line + " --report json", in: folder)
            #expect(json.code == 3)
            let report = try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
            let finding = try #require(report.findings.first)
            #expect(finding.code == "unknown-category" && finding.severity == "error")
            // The text contains both message and remedy.
            for words in [finding.message, finding.remedy] {
                #expect(
                    text.output.filter { !$0.isWhitespace }
                        .contains(words.filter { !$0.isWhitespace }))
            }
        }
    }

    @Test(
        "Remedies and parts not checked name the command's options",
        arguments: [
            ("", "name it in thimble.media, or give its path with --payload-style"),
            (" --payload-style fcm", "correct --payload-style, or omit it"),
        ])
    func options(style: String, remedy: String) throws {
        try WorkingFolder.with { folder in
            let line = """
                echo '{"aps":{"alert":"x","category":"daily-pick","mutable-content":1}}' > push.json
                thimble check --payload push.json --profile Examples/DailyPick/Content/Info.plist
                """
            let json = try Command.shell(line + style + " --report json", in: folder)
            let report = try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
            #expect(report.findings.map(\.remedy) == [remedy])
            let flags = [
                "--registered-category", "--app-entitlements", "--service-entitlements",
                "--content-entitlements", "--service-info", "--app-info", "--controls",
                "--container",
            ]
            #expect(report.unchecked.map(\.flag) == flags)
            let text = try Command.shell(line + style, in: folder)
            for flag in flags { #expect(text.output.contains("\n  \(flag)  ")) }
        }
    }

    @Test("Warnings and missing files have exit codes of their own")
    func severities() throws {
        try WorkingFolder.with { folder in
            let warning = try Command.shell(
                """
                echo '{"aps":{"alert":"x","category":"daily-pick","mutable-content":1}}' > push.json
                thimble check --payload push.json --profile Examples/DailyPick/Content/Info.plist
                """, in: folder)
            #expect(warning.code == 2, "\(warning.output)\(warning.errors)")
            #expect(warning.output.contains("names no attachment"))
            let missing = try Command.shell("thimble check --payload none.json", in: folder)
            #expect(missing.code == 3, "\(missing.output)\(missing.errors)")
            #expect(missing.output.contains("none.json"))
        }
    }
}
