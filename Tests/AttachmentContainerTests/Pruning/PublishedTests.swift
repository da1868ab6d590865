import AttachmentContainer
import Foundation
import Testing

@Suite("Renditions whose URLs were given out", .timeLimit(.minutes(1)))
struct PublishedTests {
    private func record(of rendition: Manifest.Rendition) -> String {
        "published/\(rendition.file.dropFirst(3))"
    }

    private func isThere(_ rendition: Manifest.Rendition, in fixture: ContainerFixture) -> Bool {
        FileManager.default.fileExists(atPath: fixture.path("renditions/\(rendition.file)"))
    }

    /// A notification two days old, the URL of its first rendition given out `days` ago.
    private func published(
        daysAgo days: Int, in fixture: ContainerFixture
    ) throws -> [Manifest.Rendition] {
        let renditions = try fixture.publish("one").renditions
        #expect(try fixture.container.recordPublished(renditions[0]))
        try fixture.age("one", hours: 48)
        try fixture.age(file: record(of: renditions[0]), hours: days * 24)
        return renditions
    }

    private static let policies = [
        try? PruningPolicy(maximumCount: 0), try? PruningPolicy(maximumBytes: ByteCount(0)),
        try? PruningPolicy(maximumAge: .seconds(36 * 3600)),
    ]

    @Test(
        "Each limit removes the notification and keeps the published rendition", arguments: policies
    )
    func kept(policy: PruningPolicy?) throws {
        let policy = try #require(policy)
        let fixture = try ContainerFixture()
        let renditions = try published(daysAgo: 6, in: fixture)
        let files = try fixture.allFiles()
        let dry = try fixture.removals(policy, dryRun: true)
        #expect(try fixture.allFiles() == files)
        let run = try fixture.removals(policy)
        #expect(dry.removals == run.removals)
        for report in [dry.report, run.report] {
            #expect(report.published.files == 1)
            #expect(report.published.bytes == renditions[0].bytes)
            #expect(report.removed[.unreferenced]?.files == 1)
        }
        #expect(try fixture.identifiers() == [])
        #expect(isThere(renditions[0], in: fixture) && !isThere(renditions[1], in: fixture))
        fixture.expectSound()
        // Republication reuses the kept rendition.
        #expect(try fixture.publish("one").renditions == renditions)
    }

    @Test("An expired rendition is removed with its record; an earlier use renews it")
    func expired() throws {
        let fixture = try ContainerFixture()
        let renditions = try published(daysAgo: 8, in: fixture)
        let policy = try PruningPolicy(maximumCount: 0)
        #expect(try fixture.container.recordPublished(renditions[0]))
        try fixture.age("one", hours: 48)
        #expect(try fixture.prune(policy).published.files == 1)
        #expect(isThere(renditions[0], in: fixture))

        try fixture.age(file: record(of: renditions[0]), hours: 8 * 24)
        let longer = try PruningPolicy(maximumCount: 0, keepPublished: .seconds(9 * 86_400))
        #expect(try fixture.prune(longer).removed == [:])
        let report = try fixture.prune(policy)
        #expect(report.removed[.stalePublished]?.files == 1)
        #expect(report.removed[.unreferenced]?.files == 1 && report.published.files == 0)
        #expect(!isThere(renditions[0], in: fixture))
        #expect(try fixture.container.lastPublished(renditions[0]) == nil)
        #expect(fixture.findings().isEmpty)
    }

    @Test("A rendition with an expired record stays while a notification names it")
    func referenced() throws {
        let fixture = try ContainerFixture()
        let renditions = try published(daysAgo: 8, in: fixture)
        let report = try fixture.prune(PruningPolicy())
        #expect(report.removed[.stalePublished]?.files == 1 && report.removed.count == 1)
        #expect(isThere(renditions[0], in: fixture))
    }

    @Test("Concurrent writers of one record all succeed")
    func together() async throws {
        let fixture = try ContainerFixture()
        let rendition = try fixture.publish("one").renditions[0]
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { try fixture.container.recordPublished(rendition) }
            }
            for try await isThere in group { #expect(isThere) }
        }
        #expect(try fixture.files(in: "published").count == 1)
        #expect(try fixture.container.lastPublished(rendition) != nil)
    }

    @Test("Recording a URL during the removal of its rendition keeps the rendition or fails")
    func raced() throws {
        // Another process gives the URL out before each call of the pruning in turn.
        var isOver = false
        var (saved, number) = (0, 0)
        while !isOver {
            number += 1
            let fixture = try ContainerFixture(waitingForVolume: false)
            let rendition = try published(daysAgo: 8, in: fixture)[0]
            let answers = Answers()
            let interference = OneTimeAction {
                answers.isGiven = try fixture.container.recordPublished(rendition)
            }
            let first = number
            let container = try fixture.interposed(
                CallInterposer { call, count in
                    if count >= first,
                        call.path.contains("published")
                            || call.path.contains("renditions")
                    {
                        interference.run()
                    }
                    return .system
                })
            _ = try container.prune(PruningPolicy(maximumCount: 0))
            isOver = !interference.didRun
            if answers.isGiven == true {
                saved += 1
                #expect(isThere(rendition, in: fixture), "call \(number)")
            }
            #expect(isOver || answers.isGiven != nil)
        }
        #expect(saved > 0)
    }

    @Test("A record condemned by a killed pruning protects its rendition until it expires")
    func condemned() throws {
        let fixture = try ContainerFixture()
        let rendition = try published(daysAgo: 6, in: fixture)[0]
        let file = fixture.url(record(of: rendition))
        try FileManager.default.moveItem(
            at: file, to: fixture.url(record(of: rendition) + ".condemned"))
        #expect(try fixture.prune(PruningPolicy(maximumCount: 0)).published.files == 1)
        #expect(isThere(rendition, in: fixture))
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test(
        "A missing rendition cannot be recorded, and its later loss is found")
    func missing() throws {
        let fixture = try ContainerFixture()
        let rendition = try fixture.publish("one").renditions[0]
        #expect(try fixture.container.recordPublished(rendition))
        try FileManager.default.removeItem(at: fixture.url("notifications"))
        try fixture.write("", to: "published/stray")
        try FileManager.default.removeItem(at: fixture.url("renditions/\(rendition.file)"))
        #expect(try !fixture.container.recordPublished(rendition))
        let found = fixture.findings()
        #expect(found.first { $0.code == .missingPublished }?.severity == .error)
        #expect(found.first { $0.code == .stray }?.path == "published/stray")
    }
}

/// The other process's result.
private final class Answers: @unchecked Sendable {
    // The pruning under test makes its calls on one thread.
    var isGiven: Bool?
}
