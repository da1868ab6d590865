import Foundation
import SampleMedia
import Testing

@Suite("Inspecting and processing", .timeLimit(.minutes(10)))
struct InspectTests {
    /// A cap, an enforcement and the samples to compare under them.
    struct Comparison: Sendable, CustomTestStringConvertible {
        let cap, enforcement: String
        /// Index of the first sample, and the distance to the next.
        var first = 0
        var step = 1

        var testDescription: String { "\(cap) by \(enforcement), every \(step)" }

        /// All samples where the cap is tightest, and a sixth elsewhere, or a third if thorough.
        ///
        /// A cold worker for each sample takes most of a second.
        static let all = {
            let step = Thoroughness.isFull ? 3 : 6
            return [
                Comparison(cap: "12MiB", enforcement: "auto"),
                Comparison(cap: "12MiB", enforcement: "rlimit", step: step),
                Comparison(cap: "12MiB", enforcement: "monitor", first: 1, step: step),
                Comparison(cap: "24MiB", enforcement: "auto", first: 2, step: step),
                Comparison(cap: "24MiB", enforcement: "rlimit", first: 3, step: step),
                Comparison(cap: "24MiB", enforcement: "monitor", first: 4, step: step),
            ]
        }()
    }

    @Test("Cold workers take the rung that inspect names", arguments: Comparison.all)
    func rungs(comparison: Comparison) throws {
        try WorkingFolder.with { folder in
            let options =
                "--cap \(comparison.cap) --enforce \(comparison.enforcement) --report json"
            let samples = try FileManager.default.contentsOfDirectory(
                atPath: Command.package.appending(path: "Images").path
            ).filter { !$0.hasPrefix(".") }.sorted()
            try #require(samples.count >= 25)
            let names = stride(from: comparison.first, to: samples.count, by: comparison.step)
                .map { "Images/" + samples[$0] }
            let line = "thimble inspect \(names.joined(separator: " ")) \(options)"
            let inspected = try Command.shell(line, in: folder)
            let entries = try #require(Self.json(inspected.output) as? [[String: Any]])
            try #require(entries.count == names.count)
            var made = 0
            for entry in entries {
                let file = try #require(entry["file"] as? String)
                // A worker of its own, and a new container: nothing is warm, and nothing known.
                let run = try Command.shell(
                    "rm -rf C; thimble process \(file) --id id --container C \(options)", in: folder
                )
                let report = try #require(Self.json(run.output) as? [String: Any])
                let processed = try #require((report["attachments"] as? [[String: Any]])?.first)
                if let error = entry["error"] as? String {
                    #expect(processed["error"] as? String == error, "\(file)")
                } else if let manifest = processed["manifest"] as? [String: Any] {
                    #expect(manifest["rung"] as? String == Self.rung(entry), "\(file)")
                    made += 1
                } else {
                    // Decoding finds what no header tells, but not that there is too little memory.
                    #expect(processed["error"] as? String == "truncated", "\(file)")
                }
            }
            // Three files are no valid pictures, and two more may be too large for the cap.
            #expect(made >= max(1, names.count - 5))
        }
    }

    @Test("Missing and hostile files are typed errors, beside the answers for the others")
    func refusals() throws {
        try WorkingFolder.with { folder in
            let files = try Self.refused(in: folder)
            let names = files.map(\.name).joined(separator: " ")
            let run = try Command.shell(
                "thimble inspect \(names) Images/still-life.png --report json", in: folder)
            #expect(run.code == 3)
            let entries = try #require(Self.json(run.output) as? [[String: Any]])
            #expect(entries.count == files.count + 1)
            for (entry, file) in zip(entries, files) {
                #expect(entry["file"] as? String == file.name)
                #expect(entry["error"] as? String == file.code, "\(file.name)")
                #expect((entry["reason"] as? String)?.isEmpty == false, "\(file.name)")
            }
            #expect(entries.last?["error"] == nil && entries.last?["header"] != nil)
            #expect(run.errors.split(separator: "\n").count == files.count)
            for file in files { #expect(run.errors.contains("failed: \(file.name)")) }
        }
    }

    @Test("Text, JSON and manifest name a gain map")
    func gainMap() throws {
        try WorkingFolder.with { folder in
            let plain = "Images/lake-baseline.jpg"
            let base = try [UInt8](Data(contentsOf: folder.appending(path: plain)))
            try Data(GainMapJPEG(.both, of: base, gainMap: base).bytes)
                .write(to: folder.appending(path: "hdr.jpg"))
            let text = try Command.shell("thimble inspect hdr.jpg \(plain)", in: folder)
            #expect(text.output.components(separatedBy: "gain map     ISO 21496-1").count == 2)

            let run = try Command.shell(
                "thimble inspect hdr.jpg \(plain) --report json", in: folder)
            let entries = try #require(Self.json(run.output) as? [[String: Any]])
            let headers = entries.map { ($0["header"] as? [String: Any])?["gainMap"] as? String }
            #expect(headers == ["iso-21496-1", nil])

            let made = try Command.shell(
                "thimble process hdr.jpg --id hdr --container C --report json", in: folder)
            let report = try #require(Self.json(made.output) as? [String: Any])
            let processed = try #require((report["attachments"] as? [[String: Any]])?.first)
            let manifest = try #require(processed["manifest"] as? [String: Any])
            #expect(
                (manifest["notes"] as? [String])?.first == "gain map dropped (ISO 21496-1)")
        }
    }

    @Test("Without a worker nothing is inspected, and the code is 1")
    func withoutWorker() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell("thimble inspect Images/*.png --cap 1MiB", in: folder)
            #expect(run.code == 1)
            #expect(run.errors.hasPrefix("error: "))
            #expect(run.output.isEmpty)
        }
    }

    @Test("Nothing is left behind, also by a command that is killed")
    func leftovers() throws {
        try WorkingFolder.with { folder in
            _ = try Self.refused(in: folder)
            let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            // The scratch folder is empty but for files without names.
            let options = "--scratch Scratch --enforce monitor"
            let run = try Command.shell(
                "mkdir Scratch && thimble inspect empty Images/* \(options); ls -A Scratch >&2",
                in: folder)
            #expect(!run.errors.split(separator: "\n").isEmpty)
            #expect(run.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("failed: ") })
            let killed = try Command.shell(
                """
                thimble inspect $(for i in {1..20000}; do echo Images/lake-evening.heic; done) \
                    \(options) > /dev/null &
                sleep 1; kill -9 $!; wait $!; echo $?; ls -A Scratch
                """, in: folder)
            #expect(killed.output == "137\n", "\(killed.output)")
            try FileManager.default.removeItem(at: folder.appending(path: "Scratch"))
            #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path) == before)
        }
    }

    /// Files that are refused by what they are or by their headers, with the code of each.
    private static func refused(in folder: URL) throws -> [(name: String, code: String)] {
        let made = try Command.shell(
            """
            mkdir directory; mkfifo fifo; touch empty; echo text > text.jpg
            head -c 100 Images/lake-baseline.jpg > cut.jpg
            { head -c 16 Images/still-life.png; printf '\\x7f\\xff\\xff\\xff\\x7f\\xff\\xff\\xff'
              tail -c +25 Images/still-life.png; } > vast.png
            """, in: folder)
        try #require(made.code == 0)
        return [
            ("missing.jpg", "unreadable"), ("directory", "unreadable"), ("fifo", "unreadable"),
            ("empty", "empty"), ("text.jpg", "unsupported"), ("cut.jpg", "truncated"),
            ("vast.png", "dimensions"),
        ]
    }

    /// The rung in the manifest that an inspected file is to have.
    private static func rung(_ entry: [String: Any]) -> String? {
        guard entry["media"] == nil else { return "passed-through" }
        let ladder = entry["ladder"] as? [String: Any]
        let rungs = ladder?["rungs"] as? [[String: Any]] ?? []
        return rungs.first { $0["isChosen"] as? Bool == true }?["rung"] as? String
    }

    private static func json(_ text: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text.utf8))
    }
}
