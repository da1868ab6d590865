import Foundation
import SampleApps
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

        struct Checkpoint: Decodable {
            let place, state: String
        }

        let findings: [Finding]
        let unchecked: [Unchecked]
        let checklist: [Checkpoint]
    }

    @Test("The example has no findings")
    func example() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell("thimble check \(Self.example)", in: folder)
            #expect(run.code == 0, "\(run.output)\(run.errors)")
            #expect(run.output.contains("0 errors, 0 warnings, 0 notes"))
        }
    }

    @Test("The example of a messenger has no findings, although its payload names no picture")
    func messenger() throws {
        try WorkingFolder.with { folder in
            let files = """
                cd Examples/Private; thimble check --payload payload.json --sources . \
                    --service-info Service/Info.plist --profile Content/Info.plist \
                    --app-entitlements App/Messenger.entitlements \
                    --service-entitlements Service/MessengerService.entitlements \
                    --content-entitlements Content/MessengerContent.entitlements
                """
            let run = try Command.shell(files, in: folder)
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

    @Test("A built app is checked as folder and as archive, in text, JSON and SARIF")
    func app() throws {
        for package in [SampleApp.Package.app, .ipa] {
            let app = try SampleApp()
            let good = try Command.thimble("check", app.write(as: package), in: app.folder)
            #expect(good.code == 0, "\(good.output)\(good.errors)")
            #expect(good.output.contains("press and hold"))
            app.setContent("UNNotificationExtensionDefaultContentHiden", to: true)
            let path = try app.write(as: package)
            let json = try Command.thimble("check", path, "--report", "json", in: app.folder)
            #expect(json.code == 2, "\(json.output)\(json.errors)")
            let report = try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
            #expect(report.findings.map(\.code) == ["ignored-key"])
            #expect(
                report.checklist.map(\.place) == [
                    "category", "delivery", "sharing", "extensions", "expansion", "picture",
                ])
            #expect(report.checklist.map(\.state)[3...4] == ["faults", "manual"])
            let sarif = try Command.thimble("check", path, "--report", "sarif", in: app.folder)
            #expect(sarif.code == 2)
            let log = try JSONSerialization.jsonObject(with: Data(sarif.output.utf8))
            let run = ((log as? [String: Any])?["runs"] as? [[String: Any]])?.first
            let results = run?["results"] as? [[String: Any]]
            #expect(results?.map { $0["ruleId"] as? String } == ["ignored-key"])
        }
    }

    @Test("Sources tell the registered categories, and a damaged archive is an error")
    func sources() throws {
        let app = try SampleApp()
        let path = try app.write(as: .ipa)
        let sources = app.folder.appending(path: "Sources")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        try Data("UNNotificationCategory(identifier: \"other\", actions: [])".utf8)
            .write(to: sources.appending(path: "App.swift"))
        let line = "thimble check \(path) --sources Sources"
        let run = try Command.shell(line, in: app.folder)
        #expect(run.code == 2, "\(run.output)\(run.errors)")
        #expect(run.output.contains("the app does not register “\(SampleApp.category)”"))
        let cut = try Command.shell(
            "head -c 900 \(path) > cut.ipa; thimble check cut.ipa", in: app.folder)
        #expect(cut.code == 3, "\(cut.output)\(cut.errors)")
        #expect(cut.output.contains("cut.ipa") && cut.output.contains("export the archive again"))
    }
}
