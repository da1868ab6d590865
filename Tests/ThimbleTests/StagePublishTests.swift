import Foundation
import Testing

@Suite("thimble stage --publish-url and --allow-root", .timeLimit(.minutes(5)))
struct StagePublishTests {
    /// Files in the container's folder to which published URLs lead.
    private func files(in output: String) -> [String] {
        output.split(separator: "\n").compactMap { line in
            line.firstRange(of: "https://e.com/r/").map {
                "C/renditions/" + line[$0.upperBound...].prefix { $0 != "\"" }
            }
        }
    }

    private func isThere(_ file: String, in folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: file).path)
    }

    private static let stage =
        "thimble stage --container C --allow-root Images --publish-url https://e.com/r"

    @Test("Payloads of one message with different pictures get separate notifications")
    func identity() throws {
        try WorkingFolder.with { folder in
            let pictures = ["Images/lake-baseline.jpg", "Images/still-life-ready.jpg"]
            let payloads = pictures.map {
                #"{"aps":{"alert":"x"},"custom":{"i":"message-1"},"att":{"id":"\#($0)"}}"#
            }
            try Data((payloads + payloads).joined(separator: "\n").utf8)
                .write(to: folder.appending(path: "in.ndjson"))
            let run = try Command.shell("\(Self.stage) < in.ndjson", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let published = files(in: run.output)
            try #require(published.count == 4)
            #expect(Set(published).count == 2 && published[0] == published[2])

            // Everything is a day old, and only the URLs protect it.
            let prune = "thimble container prune --container C --max-count 0 --grace 60"
            let first = try Command.shell(
                "find C -type f -exec touch -d '1 day ago' {} + && \(prune) && "
                    + "thimble container list --container C", in: folder)
            #expect(first.code == 0, "\(first.errors)")
            #expect(first.output.contains("2 renditions") && first.output.contains("URLs"))
            #expect(first.output.hasSuffix("0 notifications\n"))
            #expect(published.allSatisfy { isThere($0, in: folder) })

            // Use restarts the period of seven days.
            let second = try Command.shell(
                """
                touch -d '8 days ago' C/published/*
                head -1 in.ndjson | \(Self.stage) >again.json
                find C -type f -not -path '*published*' -exec touch -d '1 day ago' {} +
                \(prune) --keep-published 7 --report json
                """, in: folder)
            #expect(second.output.contains(#""stale-published""#), "\(second.errors)")
            #expect(isThere(published[0], in: folder) && !isThere(published[1], in: folder))
        }
    }

    @Test("The payload's own identifier is used unchanged, for a single notification")
    func ownIdentifier() throws {
        try WorkingFolder.with { folder in
            let payloads = ["lake-baseline", "still-life-ready"].map {
                #"{"aps":{"alert":"x"},"thimble":{"id":"one","media":"Images/\#($0).jpg"}}"#
            }
            try Data(payloads.joined(separator: "\n").utf8)
                .write(to: folder.appending(path: "in.ndjson"))
            let run = try Command.shell(
                "\(Self.stage) --manifest-per-notification --jobs 1 < in.ndjson && "
                    + "thimble container show one --container C", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.output.contains("published"))
            let list = try Command.thimble("container", "list", "--container", "C", in: folder)
            #expect(list.output.hasSuffix("1 notifications\n"), "\(list.output)")
            let published = files(in: run.output)
            #expect(!published.isEmpty && published.allSatisfy { isThere($0, in: folder) })
        }
    }

    @Test("The type hint beside the URL matches the published file")
    func hint() throws {
        try WorkingFolder.with { folder in
            try Data(
                (#"{"ab":{"att":{"url":"Images/lake-evening.heic","type":"heic"}},"n":1.0}"# + "\n"
                    + #"{"aps":{}, "ct_mediaUrl":"Images/lake-evening.heic","ct_mediaType":"image"}"#)
                    .utf8
            ).write(to: folder.appending(path: "in.ndjson"))
            let run = try Command.shell("\(Self.stage) < in.ndjson", in: folder)
            let lines = run.output.split(separator: "\n")
            try #require(lines.count == 2)
            #expect(lines[0].contains(#".jpg","type":"jpg"}},"n":1.0,"thimble""#))
            #expect(lines[1].contains(#"{"aps":{}, "ct_mediaUrl":"https://e.com/r/"#))
            #expect(lines[1].contains(#".jpg","ct_mediaType":"image","thimble""#))
        }
    }

    @Test("The URL is recorded before its payload is written, even if the stage is killed")
    func killed() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                """
                coproc STAGE { exec \(Self.stage); }
                echo '{"aps":{},"attachment":"Images/lake-baseline.jpg"}' >&"${STAGE[1]}"
                read -t 60 -r answer <&"${STAGE[0]}" || exit 9
                kill -9 "$STAGE_PID"
                echo "$answer"
                ls C/published
                thimble container verify --container C
                """, in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let file = try #require(files(in: run.output).first)
            #expect(run.output.contains("\n\(file.split(separator: "/").last ?? "?")\n"))
        }
    }

    @Test("A file replaced during processing never comes from outside the allowed folders")
    func raced() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)", directoryHint: .isDirectory)
        defer { try? FileManager.default.removeItem(at: folder) }
        let images = Command.package.appending(path: "Images")
        for (name, source) in [("in", "still-life-ready.jpg"), ("out", "lake-baseline.jpg")] {
            let place = folder.appending(path: name)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: images.appending(path: source), to: place.appending(path: "a.jpg"))
        }
        let inside = folder.appending(path: "in").path
        let (name, copy, next) = ("\(inside)/x.jpg", "\(inside)/a.jpg", "\(inside)/next")
        let outside = folder.appending(path: "out/a.jpg").path
        #expect(link(copy, name) == 0)
        let exchange = Task.detached {
            while !Task.isCancelled {
                symlink(outside, next)
                rename(next, name)
                link(copy, next)
                // Renaming one link of a file over another link of it has no effect.
                if rename(next, name) == 0 { unlink(next) }
                usleep(200)
            }
        }
        let payloads = (0..<200).map {
            #"{"aps":{},"thimble":{"id":"\#($0)","media":"in/x.jpg"}}"#
        }
        try Data(payloads.joined(separator: "\n").utf8)
            .write(to: folder.appending(path: "in.ndjson"))
        let run = try Command.shell(
            "thimble stage --container C --allow-root in --manifest-per-notification "
                + "< in.ndjson > staged.ndjson", in: folder)
        exchange.cancel()
        await exchange.value
        #expect([0, 3].contains(run.code), "\(run.errors)")
        let list = try Command.thimble(
            "container", "list", "--container", "C", "--report", "json", in: folder)
        let bytes = { (file: String) in
            try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
        }
        let (allowed, secret) = (try #require(try bytes(copy)), try #require(try bytes(outside)))
        let sources = try #require(
            JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]]
        ).compactMap { ($0["source"] as? [String: Any])?["bytes"] as? Int }
        #expect(!sources.isEmpty && allowed != secret)
        #expect(sources.allSatisfy { $0 == allowed })
    }
}
