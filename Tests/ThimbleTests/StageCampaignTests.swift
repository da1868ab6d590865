import Foundation
import Testing

@Suite("thimble stage with pictures of many payloads", .timeLimit(.minutes(5)))
struct StageCampaignTests {
    /// One object per line of output.
    private func objects(_ output: String) throws -> [[String: Any]] {
        try output.split(separator: "\n").map {
            try #require(
                JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
    }

    private func notes(_ output: String) throws -> [[String: Any]] {
        try objects(output).map { $0["thimble"] as? [String: Any] ?? [:] }
    }

    private func write(_ lines: some Sequence<String>, in folder: URL) throws {
        try Data(lines.map { $0 + "\n" }.joined().utf8)
            .write(to: folder.appending(path: "in.ndjson"))
    }

    private func count(_ folder: String, of container: URL) throws -> Int {
        try FileManager.default.contentsOfDirectory(
            atPath: container.appending(path: folder).path
        ).count
    }

    @Test("Payloads with a picture share its manifest, in order, and the note leads to it")
    func shared() throws {
        try WorkingFolder.with { folder in
            let pictures = ["lake-baseline", "still-life-ready", "thimble-alpha"]
            try write(
                (0..<3_000).map {
                    #"{"aps":{"alert":"x","category":"c\#($0)"},"n":\#($0),"#
                        + #""fcm_options":{"image":"Images/\#(pictures[$0 / 7 % 3])\#($0 / 7 % 3 == 2 ? ".png" : ".jpg")"}}"#
                }, in: folder)
            let run = try Command.shell(
                "thimble stage --container C --allow-root Images < in.ndjson", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let objects = try objects(run.output)
            #expect(objects.map { $0["n"] as? Int } == Array(0..<3_000))
            let identifiers = try notes(run.output).map { try #require($0["id"] as? String) }
            #expect(Set(identifiers).count == 3)
            #expect(Set(stride(from: 0, to: 3_000, by: 21).map { identifiers[$0] }).count == 1)
            #expect(try count("notifications", of: folder.appending(path: "C")) == 3)
            let shown = try Command.shell(
                """
                thimble container show \(identifiers[0]) --container C --report json
                sha256sum Images/lake-baseline.jpg
                """, in: folder)
            #expect(shown.code == 0 && shown.output.contains(identifiers[0]))
            let digest = try #require(shown.output.split(separator: "\n").last?.prefix(32))
            #expect(identifiers[0].hasPrefix(digest + "-") && identifiers[0].count == 41)
        }
    }

    @Test("With a manifest per notification, each has its own")
    func perNotification() throws {
        try WorkingFolder.with { folder in
            try write(
                (0..<5).map {
                    #"{"thimble":{"id":"order-\#($0)","media":"Images/still-life-ready.jpg"}}"#
                }, in: folder)
            let run = try Command.shell(
                """
                thimble stage --container C --allow-root Images --manifest-per-notification < in.ndjson
                """, in: folder)
            #expect(run.code == 0, "\(run.errors)")
            #expect(
                try notes(run.output).map { $0["id"] as? String } == (0..<5).map { "order-\($0)" })
            #expect(try count("notifications", of: folder.appending(path: "C")) == 5)
        }
    }

    @Test("Every attachment gets its rendition, its location and its note")
    func several() throws {
        try WorkingFolder.with { folder in
            let text =
                #"{"aps":{"alert":"x"},"os_data":{"i":"m","att":{"a":"Images/lake-baseline.jpg","#
                + #""b":"Images/none.jpg","c":"Images/thimble-alpha.png"}},"z":1.0}"#
            try write([text], in: folder)
            for options in ["", "--manifest-per-notification"] {
                let run = try Command.shell(
                    "thimble stage --container C --allow-root Images --publish-url https://e.com/r/ "
                        + "--report json \(options) < in.ndjson", in: folder)
                #expect(run.code == 3)
                let note = try #require(notes(run.output).first)
                let others = try #require(note["others"] as? [[String: Any]])
                #expect(note["index"] == nil && others.map { $0["index"] as? Int } == [2])
                #expect(note["type"] as? String == "public.jpeg")
                #expect(note["width"] as? Int == 1320 && (note["bytes"] as? Int ?? 0) > 10_000)
                #expect(others[0]["type"] as? String == "public.png")
                #expect(others[0]["placeholder"] == nil && others[0]["id"] as? String != nil)
                #expect(others[0]["id"] as? String != note["id"] as? String)
                let (first, third) = (
                    try #require(note["rendition"] as? String),
                    try #require(others[0]["rendition"] as? String)
                )
                #expect(
                    run.output.hasPrefix(
                        #"{"aps":{"alert":"x"},"os_data":{"i":"m","att":{"a":"https://e.com/r/"#
                            + #"\#(first)","b":"Images/none.jpg","c":"https://e.com/r/\#(third)"}},"#
                            + #""z":1.0,"thimble":{"#))
                #expect(
                    run.errors.contains(
                        #""attachments":[{"location":"Images/lake-baseline.jpg","outcome":"rendition""#
                    ))
                #expect(
                    run.errors.contains(
                        #""outcome":"without-picture","reasons":[{"code":"missing""#))
            }
            let plain = try Command.shell(
                "thimble stage --container C --allow-root Images < in.ndjson", in: folder)
            #expect(
                plain.errors.hasPrefix(
                    "line 1: attachment 2: Images/none.jpg: without-picture [missing]: "))
        }
    }

    @Test("The note describes the first attachment with a picture; without one there is no note")
    func firstWithPicture() throws {
        try WorkingFolder.with { folder in
            let none = #"{"aps":{},"att":{"a":"https://e.com/a.jpg","b":"Images/none.jpg"}}"#
            let second = #"{"att":{"a":"https://e.com/a.jpg","b":"Images/still-life-ready.jpg"}}"#
            let noted = #"{"attachment":"https://e.com/a.jpg","thimble":{"outcome":"rendition"}}"#
            try write([none, second, noted], in: folder)
            let run = try Command.shell(
                "thimble stage --container C --allow-root Images < in.ndjson", in: folder)
            let lines = run.output.split(separator: "\n")
            #expect(lines.count == 3 && lines[0] == none && lines[2] == noted)
            let note = try notes(run.output)[1]
            #expect(note["index"] as? Int == 1 && note["outcome"] as? String == "rendition")
            #expect(note["others"] == nil)
        }
    }

    @Test("A payload has at most ten attachments processed")
    func manyAttachments() throws {
        try WorkingFolder.with { folder in
            let attachments = (0..<40).map { #""\#($0)":"Images/still-life-ready.jpg""# }
            try write([#"{"att":{\#(attachments.joined(separator: ","))}}"#], in: folder)
            let run = try Command.shell(
                "thimble stage --container C --allow-root Images --publish-url https://e.com/r < in.ndjson",
                in: folder)
            #expect(run.code == 0)
            #expect(run.output.split(separator: "https://e.com/r/").count == 11)
            #expect(run.errors.contains("first 10 of 40"))
        }
    }

    @Test("A file replaced between two payloads gives the second another rendition")
    func replaced() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                """
                mkdir pictures
                cp Images/still-life-ready.jpg pictures/a.jpg
                coproc STAGE { thimble stage --container C --allow-root pictures; }
                stage() {
                    echo '{"attachment":"pictures/a.jpg"}' >&"${STAGE[1]}"
                    read -t 60 -r answer <&"${STAGE[0]}" || exit 9
                    echo "$answer"
                }
                stage; sleep 0.3; stage; stage
                cp Images/lake-baseline.jpg pictures/b.jpg
                mv pictures/b.jpg pictures/a.jpg
                stage; sleep 0.3; stage
                cat Images/peak-orientation-6.jpg > pictures/a.jpg
                stage
                """, in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let files = try notes(run.output).map { try #require($0["rendition"] as? String) }
            try #require(files.count == 6)
            #expect(Set(files).count == 3)
            #expect(files[0] == files[2] && files[3] == files[4])
        }
    }

    @Test("A campaign goes on while its container is pruned")
    func pruned() throws {
        try WorkingFolder.with { folder in
            try write(
                (0..<40_000).map {
                    #"{"n":\#($0),"attachment":"Images/\#(["lake-baseline", "still-life-ready"][$0 % 2]).jpg"}"#
                }, in: folder)
            let run = try Command.shell(
                """
                (while [ ! -e done ]; do
                    thimble container prune --container C --max-count 0 --grace 5 --keep-published 0
                done) >prune.log 2>&1 &
                (for part in 1 2 3 4; do head -$((part * 10000)) in.ndjson | tail -10000; sleep 2; done) |
                    thimble stage --container C --allow-root Images --publish-url https://e.com/r \
                    >out.ndjson 2>errors.txt
                touch done
                wait
                wc -l <out.ndjson
                """, in: folder)
            #expect(run.code == 0 && run.output == "40000\n", "\(run.errors)")
            let output = try String(
                contentsOf: folder.appending(path: "out.ndjson"), encoding: .utf8)
            #expect(try objects(output).map { $0["n"] as? Int } == Array(0..<40_000))
        }
    }

    /// A run of the command.
    struct Choice: CustomTestStringConvertible {
        let publishes: Bool
        let isPerNotification: Bool
        /// `--note-key`; empty for `--no-note`.
        let noteKey: String?
        let hasProfile: Bool

        /// Every pair of values occurs.
        static let pairwise = [
            Choice(publishes: false, isPerNotification: false, noteKey: nil, hasProfile: false),
            Choice(publishes: true, isPerNotification: true, noteKey: nil, hasProfile: true),
            Choice(publishes: false, isPerNotification: true, noteKey: "a.b", hasProfile: true),
            Choice(publishes: true, isPerNotification: false, noteKey: "a.b", hasProfile: false),
            Choice(publishes: false, isPerNotification: true, noteKey: "", hasProfile: false),
            Choice(publishes: true, isPerNotification: false, noteKey: "", hasProfile: true),
        ]

        var options: String {
            (publishes ? " --publish-url https://e.com/r" : "")
                + (isPerNotification ? " --manifest-per-notification" : "")
                + (noteKey.map { $0.isEmpty ? " --no-note" : " --note-key \($0)" } ?? "")
                + (hasProfile
                    ? " --profile Examples/DailyPick/Content/Info.plist --profile-options o.json"
                    : "")
        }

        var testDescription: String { options }
    }

    @Test("Options of payloads, notes, profiles and manifests combine", arguments: Choice.pairwise)
    func combined(choice: Choice) throws {
        try WorkingFolder.with { folder in
            let categories = ["daily-pick", "other"]
            try Data(#"{"width": 200, "scale": 2}"#.utf8)
                .write(to: folder.appending(path: "o.json"))
            try write(
                (0..<60).map { index in
                    let second = index % 3 == 0 ? #","b":"Images/thimble-alpha.png""# : ""
                    return #"{"aps":{"category":"\#(categories[index % 2])"},"n":\#(index),"att":"#
                        + #"{"a":"Images/still-life-ready.jpg"\#(second)}}"#
                }, in: folder)
            let run = try Command.shell(
                "thimble stage --container C --allow-root Images --deadline 30\(choice.options) <in.ndjson",
                in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let objects = try objects(run.output)
            #expect(objects.map { $0["n"] as? Int } == Array(0..<60))
            var identifiers: Set<String> = []
            for (index, object) in objects.enumerated() {
                let isPublished = run.output.contains("https://e.com/r/")
                #expect(isPublished == choice.publishes)
                let note =
                    choice.noteKey == "a.b"
                    ? (object["a"] as? [String: Any])?["b"] : object["thimble"]
                guard choice.noteKey != "" else {
                    #expect(note == nil)
                    continue
                }
                let found = try #require(note as? [String: Any])
                #expect((found["others"] as? [Any])?.count == (index % 3 == 0 ? 1 : nil))
                identifiers.insert(try #require(found["id"] as? String))
            }
            let profiles = choice.hasProfile ? 2 : 1
            let manifests = try count("notifications", of: folder.appending(path: "C"))
            #expect(manifests == (choice.isPerNotification ? 80 : 2 * profiles))
            if choice.noteKey != "" {
                #expect(identifiers.count == (choice.isPerNotification ? 60 : profiles))
            }
            let verify = try Command.thimble("container", "verify", "--container", "C", in: folder)
            #expect(verify.code == 0, "\(verify.output)")
        }
    }

    @Test("A file of paths names the pictures, and a bad one is refused with the reason")
    func styleFile() throws {
        try WorkingFolder.with { folder in
            try Data(#"["none", {"path": "p.url", "type": "p.kind"}]"#.utf8)
                .write(to: folder.appending(path: "style.json"))
            try Data(#"[{"paths": 1}]"#.utf8).write(to: folder.appending(path: "bad.json"))
            try write([#"{"p":{"url":"Images/lake-evening.heic","kind":"heic"}}"#], in: folder)
            let stage =
                "thimble stage --container C --allow-root Images --publish-url https://e.com"
            let run = try Command.shell(
                "\(stage) --payload-style style.json < in.ndjson", in: folder)
            #expect(run.code == 0 && run.output.contains(#".jpg","kind":"jpg"},"thimble""#))
            let same = try Command.shell(
                "THIMBLE_PAYLOAD_STYLE=style.json \(stage) < in.ndjson", in: folder)
            #expect(same.output == run.output)
            let bad = try Command.shell("\(stage) --payload-style bad.json < in.ndjson", in: folder)
            #expect(bad.code == 64 && bad.errors.contains("only path and type are allowed"))
            let key = try Command.shell("\(stage) --note-key aps.x < in.ndjson", in: folder)
            #expect(key.code == 64 && key.errors.contains("--note-key"))
        }
    }
}
