import Foundation
import Testing

@Suite("Inspecting and processing", .timeLimit(.minutes(5)))
struct InspectTests {
    @Test(
        "Workers take the rung that inspect names",
        arguments: ["12MiB", "24MiB"], ["auto", "rlimit", "monitor"])
    func rungs(cap: String, enforcement: String) throws {
        try WorkingFolder.with { folder in
            let options = "--cap \(cap) --enforce \(enforcement) --report json"
            let inspected = try Command.shell("thimble inspect Images/* \(options)", in: folder)
            let expected = try Self.rungs(inspected.output) { entry in
                let ladder = entry["ladder"] as? [String: Any]
                let rungs = ladder?["rungs"] as? [[String: Any]] ?? []
                return rungs.first { $0["isChosen"] as? Bool == true }?["rung"] as? String
            }
            let processed = try Command.shell(
                "thimble batch Images --container C --jobs 1 \(options)", in: folder)
            let report = try #require(Self.json(processed.output) as? [String: Any])
            let files = try #require(report["files"] as? [[String: Any]])
            var made = 0
            for file in files where file["outcome"] as? String == "made" {
                let name = try #require(file["file"] as? String)
                // Sound and movies have no ladder.
                guard let rung = file["rung"] as? String, rung != "passed-through" else { continue }
                #expect(expected[name] == rung, "\(name)")
                made += 1
            }
            #expect(made >= 15)
        }
    }

    /// A property of each inspected file, by the file's name.
    private static func rungs(
        _ text: String, _ rung: ([String: Any]) -> String?
    ) throws -> [String: String] {
        let entries = try #require(json(text) as? [[String: Any]])
        return entries.reduce(into: [:]) { rungs, entry in
            guard let file = entry["file"] as? String else { return }
            rungs[URL(fileURLWithPath: file).lastPathComponent] = rung(entry)
        }
    }

    private static func json(_ text: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text.utf8))
    }
}
