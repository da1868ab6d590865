import Foundation
import Testing

@Suite("Outcomes of thimble stage", .timeLimit(.minutes(5)))
struct StageOutcomeTests {
    private struct Reason: Decodable {
        let code, message, remedy: String
    }

    private struct Report: Decodable {
        let line: Int
        let outcome: String
        let location: String?
        let reasons: [Reason]
        let notes: [String]
    }

    private struct Unmatched: Decodable {
        struct Group: Decodable {
            let payloads, line: Int
            let reason: Reason
        }

        let unmatched: [Group]
    }

    private static let stage = "thimble stage --container C --allow-root Images --report json"
    private static let published = stage + " --publish-url https://pictures.example/r"

    /// A payload of exactly so many bytes.
    private static func payload(of bytes: Int) -> String {
        let (head, tail) = (#"{"aps":{"alert":""#, #""},"attachment":"Images/lake-baseline.jpg"}"#)
        return head + String(repeating: "x", count: bytes - head.utf8.count - tail.utf8.count)
            + tail
    }

    private func run(
        _ command: String, _ payload: String, in folder: URL
    ) throws -> (Command, Report) {
        try Data(payload.utf8).write(to: folder.appending(path: "in.json"))
        let run = try Command.shell("\(command) < in.json", in: folder)
        return (run, try JSONDecoder().decode(Report.self, from: Data(run.errors.utf8)))
    }

    @Test("Without room for the URL the outcome is no-room, and the bytes missing are exact")
    func noRoom() throws {
        try WorkingFolder.with { folder in
            let full = Self.payload(of: 4090)
            let (refused, report) = try run(Self.published, full, in: folder)
            #expect(refused.code == 3 && refused.output == full)
            #expect(report.outcome == "no-room" && report.reasons.first?.code == "no-room")
            let remedy = try #require(report.reasons.first?.remedy)
            let missing = try #require(remedy.split(separator: " ").compactMap { Int($0) }.first)

            // The remedy cures it, and one byte less does not.
            let (cured, second) = try run(
                Self.published, Self.payload(of: 4090 - missing), in: folder)
            #expect(cured.code == 0 && second.outcome == "rendition")
            #expect(cured.output.utf8.count == 4096)
            #expect(cured.output.contains("https://pictures.example/r/"))
            let (still, third) = try run(
                Self.published, Self.payload(of: 4091 - missing), in: folder)
            #expect(still.code == 3 && third.outcome == "no-room")
            #expect(third.reasons.first?.message.contains("needs 1 bytes more") == true)
        }
    }

    @Test(
        "VoIP payloads have 5,120 bytes", arguments: ["--push-type voip", "--payload-limit 5120"])
    func voIP(option: String) throws {
        try WorkingFolder.with { folder in
            let (run, report) = try run(
                "\(Self.published) \(option)", Self.payload(of: 4500), in: folder)
            #expect(run.code == 0 && report.outcome == "rendition")
            #expect(4500...5120 ~= run.output.utf8.count)
            let (full, second) = try self.run(
                "\(Self.published) \(option)", Self.payload(of: 5119), in: folder)
            #expect(full.code == 3 && second.outcome == "no-room")
        }
    }

    @Test("The note of an earlier staging gives way to the URL")
    func earlierNote() throws {
        try WorkingFolder.with { folder in
            let (noted, _) = try run(Self.stage, Self.payload(of: 3700), in: folder)
            let grown = noted.output.replacing(
                "xxx", with: String(repeating: "x", count: 3 + 4096 - noted.output.utf8.count),
                maxReplacements: 1)
            try #require(grown.utf8.count == 4096 && grown.contains(#""thimble":{"outcome""#))
            let (run, report) = try run(Self.published, grown, in: folder)
            #expect(run.code == 0 && report.outcome == "rendition", "\(run.errors)")
            #expect(run.output.contains("https://pictures.example/r/"))
            #expect(run.output.utf8.count <= 4096)
        }
    }

    @Test("A payload over the limit is staged if the rendition's URL brings it within")
    func shortened() throws {
        try WorkingFolder.with { folder in
            let picture = "Images/../Images/" + String(repeating: "./", count: 1500)
            let payload = Self.payload(of: 2000).replacing("Images/", with: picture)
            try #require(payload.utf8.count > 4096)
            let (run, report) = try run(Self.published, payload, in: folder)
            #expect(run.code == 0 && report.outcome == "rendition", "\(run.errors)")
            #expect(run.output.utf8.count <= 4096)
        }
    }

    @Test("Without a URL, a payload without room for the note is no-room")
    func noRoomForNote() throws {
        try WorkingFolder.with { folder in
            let (run, report) = try run(Self.stage, Self.payload(of: 4096), in: folder)
            #expect(run.code == 3 && report.outcome == "no-room")
            #expect(report.reasons.first?.remedy.hasSuffix("bytes") == true)
        }
    }

    @Test("Optional fields of the note give way first, then the note, and the outcome follows")
    func reducedNote() throws {
        try WorkingFolder.with { folder in
            var extents: [String] = []
            for size in stride(from: 3712, through: 4096, by: 32) {
                let (run, report) = try run(Self.stage, Self.payload(of: size), in: folder)
                let payload = try #require(
                    JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
                let note = payload["thimble"] as? [String: Any]
                // A rendition is named by the identifier of its manifest.
                #expect((report.outcome == "rendition") == (note?["id"] != nil), "\(size)")
                #expect((run.code == 0) == (report.outcome == "rendition"))
                #expect(note == nil || note?["outcome"] as? String == report.outcome)
                #expect(run.output.utf8.count <= 4096)
                if report.outcome == "no-room" {
                    let remedy = try #require(report.reasons.first?.remedy)
                    let missing = try #require(
                        remedy.split(separator: " ").compactMap { Int($0) }.first)
                    let (cured, _) = try self.run(
                        Self.stage, Self.payload(of: size - missing), in: folder)
                    #expect(cured.code == 0, "\(size)")
                }
                extents.append("\(report.outcome) \(note?.count ?? 0)")
            }
            // From all fields to none.
            #expect(Set(extents).count > 5, "\(extents)")
        }
    }

    @Test(
        "Of several attachments the least outcome counts, and a note without room for all says so")
    func severalAttachments() throws {
        try WorkingFolder.with { folder in
            let two = #"["Images/lake-baseline.jpg","Images/missing.jpg"]"#
            let (run, report) = try run(
                Self.stage, #"{"aps":{},"attachment":\#(two)}"#, in: folder)
            #expect(run.code == 3 && report.outcome == "without-picture")
            #expect(report.location == "Images/missing.jpg")
            #expect(report.reasons.first?.code == "missing")

            let (head, tail) = (
                #"{"aps":{"alert":""#,
                #""},"attachment":["Images/lake-baseline.jpg","Images/still-life-ready.jpg"]}"#
            )
            let text = String(repeating: "x", count: 3900 - head.utf8.count - tail.utf8.count)
            let (partly, second) = try self.run(Self.stage, head + text + tail, in: folder)
            #expect(partly.code == 3 && second.outcome == "no-room")
            #expect(second.location == "Images/still-life-ready.jpg")
            #expect(partly.output.contains(#""outcome":"rendition""#))
        }
    }

    @Test("A request without a place for the note keeps its picture, unless it is published")
    func noPlace() throws {
        try WorkingFolder.with { folder in
            let payload =
                #"{"topic":"a","message":"Hi","attach":"Images/lake-baseline.jpg"}"#
            let (run, report) = try run(Self.stage, payload, in: folder)
            #expect(run.code == 3 && run.output == payload)
            #expect(report.outcome == "original" && report.reasons.first?.code == "unpublished")
            let (published, second) = try self.run(Self.published, payload, in: folder)
            #expect(published.code == 0 && second.outcome == "rendition")
        }
    }

    @Test("Each element of an array is staged, and its brackets and white space stay")
    func array() throws {
        try WorkingFolder.with { folder in
            let body = """
                [
                  {"to":"ExponentPushToken[a]","body":"Hi","richContent":{"image":"Images/lake-baseline.jpg"}},
                  {"to":"ExponentPushToken[b]","body":"Hi","richContent":{"image":"Images/missing.jpg"}}
                ]

                """
            try Data(body.utf8).write(to: folder.appending(path: "in.json"))
            let run = try Command.shell("\(Self.published) < in.json", in: folder)
            #expect(run.code == 3)
            let reports = try run.errors.split(separator: "\n").map {
                try JSONDecoder().decode(Report.self, from: Data($0.utf8))
            }
            #expect(reports.map(\.outcome) == ["rendition", "without-picture"])
            #expect(reports.map(\.line) == [2, 3])
            let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count == 5 && lines[0] == "[" && lines[3] == "]" && lines[4].isEmpty)
            #expect(lines[1].contains(#""image":"https://pictures.example/r/"#))
            #expect(lines[1].hasSuffix("},") && lines[2].contains("Images/missing.jpg"))
        }
    }

    @Test("Payloads without a picture are counted by reason, with the first line")
    func unmatched() throws {
        try WorkingFolder.with { folder in
            let lines = [
                #"{"aps":{}}"#, #"{"aps":{},"hero":{"picture":5}}"#, #"{"aps":{},"hero":null}"#,
                #"{"aps":{},"hero":{"picture":[{"uri":"a.jpg"}]}}"#,
            ]
            try Data(lines.joined(separator: "\n").utf8)
                .write(to: folder.appending(path: "in.ndjson"))
            let named = try Command.shell(
                "\(Self.stage) --payload-style hero.picture < in.ndjson", in: folder)
            #expect(named.code == 3)
            let last = try #require(named.errors.split(separator: "\n").last)
            let groups = try JSONDecoder().decode(Unmatched.self, from: Data(last.utf8)).unmatched
            #expect(groups.map(\.payloads) == [2, 2] && groups.map(\.line) == [1, 2])
            #expect(groups.map(\.reason.code) == ["no-attachment", "wrong-type"])
            #expect(groups[1].reason.message.contains("hero.picture is a number"))

            // Alerts without a picture are ordinary if no style is named.
            let auto = try Command.shell(
                "thimble stage --container C < in.ndjson", in: folder)
            #expect(auto.code == 0)
            #expect(auto.errors.split(separator: "\n").count == 1)
            #expect(auto.errors.hasPrefix("4 payloads have no picture, first in line 1"))
        }
    }

    @Test(
        "Misspelt styles, presets and variables are refused with the nearest name",
        arguments: [
            ("thimble stage --container C --payload-style onesignl", "onesignal"),
            ("thimble inspect --preset avtar Images/lake-baseline.jpg", "avatar"),
            ("THIMBLE_PRESET=content,avtar thimble inspect Images/lake-baseline.jpg", "avatar"),
            ("THIMBLE_MAX_BYTE=5 thimble inspect Images/lake-baseline.jpg", "THIMBLE_MAX_BYTES"),
        ])
    func misspelt(command: String, name: String) throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(command, in: folder)
            #expect(run.code == 64)
            #expect(run.errors.lowercased().contains("did you mean \(name.lowercased())?"))
        }
    }

    @Test("Variables of the server and of options are no misspelling")
    func knownVariables() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                "THIMBLE_SERVER_PORT=1 THIMBLE_WIDTH=300 THIMBLE_LOG_URLS=yes "
                    + "thimble inspect Images/lake-baseline.jpg", in: folder)
            #expect(run.code == 0, "\(run.errors)")
        }
    }

    @Test("Reports name the location, without user, query and fragment unless asked")
    func locations() throws {
        try WorkingFolder.with { folder in
            let payload = #"{"aps":{},"attachment":"https://127.0.0.1/a.jpg?token=1#x"}"#
            let (_, report) = try run(Self.stage, payload, in: folder)
            #expect(report.location == "https://127.0.0.1/a.jpg")
            let (whole, second) = try run("\(Self.stage) --log-urls", payload, in: folder)
            #expect(second.location == "https://127.0.0.1/a.jpg?token=1#x" && whole.code == 3)
        }
    }
}
