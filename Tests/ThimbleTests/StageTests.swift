import Foundation
import Testing

@Suite("thimble stage", .timeLimit(.minutes(5)))
struct StageTests {
    /// A report on standard error.
    private struct Report: Decodable {
        struct Reason: Decodable {
            let code: String
            let domain: String
        }

        let line: Int
        let outcome: String
        let reasons: [Reason]
        let seconds: Double?
    }

    /// Expected result of a payload.
    ///
    /// `picture` is its location, nil for none.
    private struct Expected {
        let picture: String?
        let outcomes: Set<String>
        let code: String?

        init(_ picture: String?, _ outcomes: String..., code: String? = nil) {
            (self.picture, self.outcomes, self.code) = (picture, Set(outcomes), code)
        }
    }

    private static let pictures: [Expected] = [
        Expected("Images/lake-baseline.jpg", "rendition"),
        Expected("Images/ridges-progressive.jpg", "rendition"),
        Expected("Images/thimble-alpha.png", "rendition"),
        Expected("Images/lake-evening.heic", "rendition"),
        Expected("Images/peak-orientation-6.jpg", "rendition"),
        Expected("Images/still-life-ready.jpg", "rendition"),
        Expected("Images/letter.jpg", "without-picture", code: "unsupported"),
        Expected("Images/ridges-truncated.jpg", "without-picture", "lower-rung", code: "truncated"),
        Expected("Images/none.jpg", "without-picture", code: "missing"),
        Expected("/etc/hostname", "without-picture", code: "outside-roots"),
        Expected("Images", "without-picture", code: "is-folder"),
        Expected("pipe", "without-picture", code: "not-regular"),
        Expected("link.jpg", "without-picture", code: "link-leads-out"),
        Expected("https://example.com/a.jpg", "without-picture", code: "unavailable"),
        Expected(nil, "without-picture", code: "no-attachment"),
    ]

    /// A payload key for each style, naming the picture.
    private static let styles: [@Sendable (String) -> String] = [
        { #""fcm_options":{"image":"\#($0)"}"# },
        { #""ab":{"att":{"url":"\#($0)","type":"jpg"}}"# },
        { #""ct_mediaUrl":"\#($0)","ct_mediaType":"image""# },
        { #""_mediaUrl":"\#($0)","_mediaAlt":"alt""# },
        { #""itbl":{"x":1},"attachment-url":"\#($0)""# },
        { #""attachment":"\#($0)""# },
        { #""richContent":{"image":"\#($0)"}"# },
        { #""thimble":{"media":"\#($0)"}"# },
    ]

    private static func payload(_ index: Int) -> (line: String, expected: Expected?) {
        guard index % 17 != 16 else { return (#"{"aps": {"alert": "cut \#(index)"#, nil) }
        let expected = pictures[index % pictures.count]
        let media = expected.picture.map { "," + styles[index % styles.count]($0) } ?? ""
        return (
            #"{"aps":{"alert":{"title":"No. \#(index)"},"mutable-content":1},"n":\#(index).50e0"#
                + #","id\#(index)":[1.0,  "\u00e9"]\#(media)}"#,
            expected
        )
    }

    @Test("A thousand mixed payloads are answered in order and completely")
    func thousand() throws {
        try WorkingFolder.with { folder in
            mkfifo(folder.appending(path: "pipe").path, 0o600)
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "link.jpg").path,
                withDestinationPath: "/etc/hostname")
            let payloads = (0..<1000).map(Self.payload)
            try Data(payloads.map { $0.line + "\n" }.joined().utf8)
                .write(to: folder.appending(path: "in.ndjson"))
            let run = try Command.shell(
                "thimble stage --container C --cap 12MB --deadline 20 --jobs 2 --no-fetch --report json "
                    + "--allow-root . --allow-root Images < in.ndjson", in: folder)
            #expect(run.code == 3)

            let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
            // The last line counts the payloads without a picture.
            let reports = try run.errors.split(separator: "\n").dropLast().map {
                try JSONDecoder().decode(Report.self, from: Data($0.utf8))
            }
            #expect(run.errors.contains("\n{\"unmatched\":[{\"line\":15,"))
            #expect(reports.map(\.line) == Array(1...1000))
            try #require(lines.count == 1001 && lines[1000].isEmpty)
            for ((payload, report), line) in zip(zip(payloads, reports), lines) {
                guard let expected = payload.expected else {
                    #expect(line == payload.line && report.outcome == "passed-on")
                    continue
                }
                #expect(expected.outcomes.contains(report.outcome), "\(payload.line) \(report)")
                if let code = expected.code {
                    #expect(report.reasons.contains { $0.code == code }, "\(report)")
                }
                #expect(report.seconds != nil)
                try Self.check(String(line), against: payload.line, report)
            }
            let verify = try Command.thimble("container", "verify", "--container", "C", in: folder)
            #expect(verify.code == 0, "\(verify.output)")
        }
    }

    /// Only the object `thimble` is added; all bytes before it are unchanged.
    private static func check(_ line: String, against payload: String, _ report: Report) throws {
        guard report.outcome != "without-picture" || line != payload else { return }
        if payload.contains(#""thimble""#) {
            #expect(line.hasPrefix(payload.prefix { $0 != "t" }))
        } else {
            #expect(line.hasPrefix(payload.dropLast()))
        }
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let note = try #require(object["thimble"] as? [String: Any], "\(line)")
        #expect(note["outcome"] as? String == report.outcome)
        #expect(line.utf8.count <= 4096)
    }

    @Test("If nothing can be processed, payloads pass through byte for byte")
    func passedThrough() throws {
        try WorkingFolder.with { folder in
            let text = "{\n  \"aps\": {\"alert\": \"x\"}\n}\n\n{broken\n"
            try Data(text.utf8).write(to: folder.appending(path: "in.json"))
            for fault in [
                "--container in.json", "--container C --profile in.json",
                "--container C --enforce cgroup --cap 1KB",
            ] {
                let run = try Command.shell("thimble stage \(fault) < in.json", in: folder)
                #expect(run.code == 1, "\(fault): \(run.errors)")
                #expect(run.output == text, "\(fault)")
                #expect(run.errors.contains("passed on unchanged"))
            }
        }
    }

    @Test("A stopped worker delays the payload no longer than the deadline")
    func deadline() throws {
        try WorkingFolder.with { folder in
            try installSlowed(in: folder)
            // Sent once the worker is stopped. A busy machine takes a second to start the one that
            // looks at the original.
            let run = try Command.shell(
                """
                (until [ -e stopped ]; do sleep 0.1; done; echo '{"aps":{"alert":"x"},"attachment":"Images/still-life-ready.jpg"}') |
                    ./thimble stage --container C --allow-root Images --deadline 3 --report json
                """, in: folder)
            let report = try JSONDecoder().decode(Report.self, from: Data(run.errors.utf8))
            // The best available: the original, which the system accepts.
            #expect(report.outcome == "original")
            #expect(report.reasons.contains { $0.code == "deadline" || $0.code == "late" })
            #expect(run.output.contains(#""outcome":"original""#))
            // The command does not wait for the stopped worker either.
            let resumed = folder.appending(path: "resumed").path
            #expect(!FileManager.default.fileExists(atPath: resumed))
        }
    }

    /// Installs the command with a worker that stops for a minute.
    ///
    /// It leaves a file `stopped` when it is, and `resumed` afterwards.
    private func installSlowed(in folder: URL) throws {
        let program = folder.appending(path: "thimble")
        let built = Command.products.appending(path: "thimble")
        do {
            try FileManager.default.linkItem(at: built, to: program)
        } catch {
            try FileManager.default.copyItem(at: built, to: program)
        }
        let worker = folder.appending(path: "thimble-worker")
        try Data(
            """
            #!/bin/sh
            (sleep 3; kill -STOP $$; touch '\(folder.path)/stopped'; sleep 60; kill -CONT $$; touch '\(folder.path)/resumed') \
                </dev/null >/dev/null 2>&1 &
            exec '\(Command.products.path)/thimble-worker' "$@"
            """.utf8
        ).write(to: worker)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: worker.path)
    }

    @Test("Millions of refused lines pass through, with one report for those after 1,000")
    func garbage() throws {
        try WorkingFolder.with { folder in
            let bad =
                ["}"] + Array(repeating: #"{"a":x}"#, count: 200_000)
                + Array(repeating: "{", count: 200_000) + [#"{"aps":{}}"#, "bad", ""]
            try Data(bad.joined(separator: "\n").utf8).write(to: folder.appending(path: "in.txt"))
            let run = try Command.shell(
                """
                thimble stage --container C --report json < in.txt > out.txt
                cmp in.txt out.txt && echo same
                """, in: folder)
            #expect(run.output == "same\n")
            let reports = run.errors.split(separator: "\n")
            #expect(reports.count == 1_004)
            #expect(reports[1_003].hasPrefix(#"{"unmatched":[{"line":400002,"payloads":1,"#))
            #expect(reports[1_000].contains(#""lastLine":400001,"line":1001,"#))
            #expect(reports[1_001].contains(#""code":"no-attachment""#))
            #expect(reports[1_002].contains(#""line":400003,"#))
        }
    }

    @Test("A payload is answered before the sender sends the next")
    func conversation() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                """
                coproc STAGE { thimble stage --container C --allow-root Images; }
                for number in 1 2 3; do
                    echo '{"aps":{"alert":"'$number'"},"attachment":"Images/lake-baseline.jpg"}' \
                        >&"${STAGE[1]}"
                    read -t 30 -r answer <&"${STAGE[0]}" || exit 9
                    case "$answer" in *'"rendition"'*) ;; *) exit 8 ;; esac
                done
                """, in: folder)
            #expect(run.code == 0, "\(run.errors)")
        }
    }

    @Test("The category selects the profile, and an undeclared category is reported")
    func profiles() throws {
        try WorkingFolder.with { folder in
            try Data(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0"><dict><key>NSExtension</key><dict>
                <key>NSExtensionPointIdentifier</key>
                <string>com.apple.usernotifications.content-extension</string>
                <key>NSExtensionPrincipalClass</key><string>Content</string>
                <key>NSExtensionAttributes</key><dict>
                <key>UNNotificationExtensionCategory</key><string>daily</string>
                <key>UNNotificationExtensionInitialContentSizeRatio</key><real>0.6</real>
                </dict></dict></dict></plist>
                """.utf8
            ).write(to: folder.appending(path: "Info.plist"))
            try Data(#"{"width": 200, "scale": 2}"#.utf8)
                .write(to: folder.appending(path: "options.json"))
            let payloads = ["daily", "Daily"].map {
                #"{"aps":{"alert":"x","category":"\#($0)"},"thimble":{"id":"\#($0)","media":"#
                    + #""Images/lake-baseline.jpg"}}"#
            }
            try Data(payloads.joined(separator: "\n").utf8)
                .write(to: folder.appending(path: "in.ndjson"))
            let run = try Command.shell(
                "thimble stage --container C --profile Info.plist --profile-options options.json "
                    + "--allow-root Images < in.ndjson", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.errors.contains("line 2") && run.errors.contains("daily"))
            let list = try Command.thimble(
                "container", "list", "--container", "C", "--report", "json", in: folder)
            #expect(list.output.contains(#""width" : 400"#))
            #expect(list.output.contains(#""width" : 1320"#))
        }
    }
}
