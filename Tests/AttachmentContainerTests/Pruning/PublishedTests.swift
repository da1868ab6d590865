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

    /// A notification of two days ago, the URL of its first rendition given out so many days ago.
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

    @Test("Each limit takes the notification and leaves the rendition", arguments: policies)
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
        // The notification comes back with the rendition that stayed.
        #expect(try fixture.publish("one").renditions == renditions)
    }

    @Test("After the time it goes, with its record; a use before that starts the time anew")
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

    @Test("An expired record does not take the rendition from a notification that shows it")
    func referenced() throws {
        let fixture = try ContainerFixture()
        let renditions = try published(daysAgo: 8, in: fixture)
        let report = try fixture.prune(PruningPolicy())
        #expect(report.removed[.stalePublished]?.files == 1 && report.removed.count == 1)
        #expect(isThere(renditions[0], in: fixture))
    }

    @Test("Writers that record at once all succeed, and one record stands")
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

    @Test("A URL given out while its rendition is being removed saves it, or is refused")
    func raced() throws {
        // Before each call of a pruning in turn, another process gives the URL out.
        var isOver = false
        var (saved, number) = (0, 0)
        while !isOver {
            number += 1
            let fixture = try ContainerFixture(waitingForVolume: false)
            let rendition = try published(daysAgo: 8, in: fixture)[0]
            let answers = Answers()
            let moment = Moment {
                answers.isGiven = try fixture.container.recordPublished(rendition)
            }
            let first = number
            let container = try fixture.interposed(
                CallInterposer { call, count in
                    if count >= first,
                        call.path.contains("published")
                            || call.path.contains("renditions")
                    {
                        moment.come()
                    }
                    return .system
                })
            _ = try container.prune(PruningPolicy(maximumCount: 0))
            isOver = !moment.came
            if answers.isGiven == true {
                saved += 1
                #expect(isThere(rendition, in: fixture), "call \(number)")
            }
            #expect(isOver || answers.isGiven != nil)
        }
        #expect(saved > 0)
    }

    @Test("A record that a killed pruning left aside keeps its rendition until it has expired")
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
        "A rendition that is not there is not recorded as given out, and one that is lost is found")
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

/// What another process was answered.
private final class Answers: @unchecked Sendable {
    // The pruning under test makes its calls on one thread.
    var isGiven: Bool?
}
