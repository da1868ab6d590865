import Foundation
import Testing

@Suite("thimble process and batch with --publish", .timeLimit(.minutes(2)))
struct PublishCommandTests {
    private struct File: Decodable {
        let file: String
        let outcome: String
        let url: String?
        let error: String?
    }

    private struct Summary: Decodable {
        let made: Int
        let failed: Int
        let published: Int?
        let notPublished: Int?
    }

    private typealias Output = BatchOutput<File, Summary>

    private static let store = "--publish Served --publish-url https://e.com/r"

    private func isServed(_ url: String?, in folder: URL) -> Bool {
        guard let url, let prefix = url.firstRange(of: "https://e.com/r/") else { return false }
        let file = folder.appending(path: "Served/\(url[prefix.upperBound...])")
        return FileManager.default.fileExists(atPath: file.path)
    }

    @Test("A batch publishes every attachment once, and reports the URLs of unchanged ones too")
    func batch() throws {
        try WorkingFolder.with { folder in
            let batch = "thimble batch Few --container C \(Self.store) --report json"
            let first = try Command.shell(
                """
                mkdir Few
                cp Images/lake-baseline.jpg Images/still-life-ready.jpg Few
                echo broken > Few/broken.png
                \(batch)
                """, in: folder)
            #expect(first.code == 3)
            let output = try Output(first.output)
            #expect(output.files.count == 3)
            #expect(output.summary.published == 2 && output.summary.notPublished == 0)
            for file in output.files {
                #expect(isServed(file.url, in: folder) == (file.error == nil), "\(file)")
            }

            let inodes = "find Served -type f -printf '%i %p\\n' | sort"
            let before = try Command.shell(inodes, in: folder)
            let second = try Command.shell("rm Few/broken.png && \(batch)", in: folder)
            #expect(second.code == 0, "\(second.errors)")
            let again = try Output(second.output)
            #expect(again.files.allSatisfy { $0.outcome == "unchanged" })
            #expect(again.files.allSatisfy { isServed($0.url, in: folder) })
            #expect(try Command.shell(inodes, in: folder).output == before.output)
            let list = try Command.shell(
                "thimble container list --published --container C", in: folder)
            #expect(list.output.contains("2 objects"), "\(list.output)")
        }
    }

    @Test("A store that cannot be written fails the publication, and not the processing")
    func unwritable() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                """
                mkdir Few && cp Images/still-life-ready.jpg Few && touch Served
                thimble batch Few --container C \(Self.store) --report json
                """, in: folder)
            #expect(run.code == 3)
            let output = try Output(run.output)
            #expect(output.files.first?.outcome == "not-published")
            #expect(output.files.first?.error == "publish-storage")
            #expect(output.summary.made == 1 && output.summary.failed == 0)
            #expect(output.summary.notPublished == 1)
            let list = try Command.shell("thimble container list --container C", in: folder)
            #expect(list.output.contains("1 notification"), "\(list.output)")
        }
    }

    @Test("process prints the URL, also of the container itself")
    func process() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                "thimble process Images/still-life-ready.jpg --id a --container C \(Self.store)",
                in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let url = run.output.split(separator: " ").first { $0.hasPrefix("https://") }
                .map { String($0.prefix { $0 != "\n" }) }
            #expect(isServed(url, in: folder))

            let container = try Command.shell(
                """
                thimble process Images/lake-baseline.jpg --id b --container C \
                    --publish-url https://e.com/c --report json
                find C -type f -exec touch -d '1 day ago' {} +
                thimble container prune --container C --max-count 0 --grace 60 >prune.txt
                """, in: folder)
            #expect(container.code == 0, "\(container.errors)")
            let place = try #require(container.output.firstRange(of: "https://e.com/c/"))
            let file = container.output[place.upperBound...].prefix { $0 != "\"" }
            #expect(
                FileManager.default.fileExists(
                    atPath: folder.appending(path: "C/renditions/\(file)").path))
        }
    }

    @Test("A folder without a URL is refused before any work")
    func withoutURL() throws {
        try WorkingFolder.with { folder in
            for command in ["process Images/lake-baseline.jpg --id a", "batch Images"] {
                let run = try Command.shell(
                    "thimble \(command) --container C --publish Served", in: folder)
                #expect(run.code == 64)
                #expect(run.errors.contains("--publish-url"))
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "C").path))
            }
        }
    }
}
