import Foundation
import Testing

@Suite("The sweep of trials", .timeLimit(.minutes(3)))
struct TrialSweepTests {
    @Test("A start removes the containers that a killed process left")
    func leftovers() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: UUID().uuidString, directoryHint: .isDirectory)
        defer { try? FileManager.default.removeItem(at: folder) }
        let trials = folder.appending(path: "trials")
        func leave(_ name: String, age: Double) throws {
            let left = trials.appending(path: name)
            try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
            try Data("picture".utf8).write(to: left.appending(path: "rendition.jpg"))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: left.path)
        }
        func left() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: trials.path)
        }
        let options = ["--page", "--container", folder.path]
        try TestServer(options).end()
        try leave("old", age: 86_400)
        // One of another process, which may still be at work.
        try leave("fresh", age: 1)
        let server = try TestServer(options)
        defer { server.end() }
        for _ in 0..<100 where try left() != ["fresh"] { Thread.sleep(forTimeInterval: 0.05) }
        #expect(try left() == ["fresh"])
    }
}
