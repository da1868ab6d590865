import AttachmentContainer
import Foundation
import Testing

@Suite("Concurrent prunings and clock changes", .timeLimit(.minutes(1)))
struct PruningPairTests {
    @Test("Removal of a manifest condemned earlier is durable before its renditions are removed")
    func order() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let condemned = fixture.manifestFile("0") + ".condemned"
        try FileManager.default.moveItem(
            at: fixture.url(fixture.manifestFile("0")), to: fixture.url(condemned))
        let interposer = CallInterposer { _, _ in .system }
        let report = try fixture.interposed(interposer).prune(try PruningPolicy())
        #expect(report.removed[.interrupted]?.files == 1)
        let calls = interposer.calls
        let manifest = try #require(
            calls.firstIndex { $0.name == .unlink && $0.path.hasSuffix(condemned) })
        let folder = try #require(
            calls.firstIndex { $0.name == .fsync && $0.path.hasSuffix("/notifications") })
        let rendition = try #require(
            calls.firstIndex { $0.name == .unlink && $0.path.contains("/renditions/") })
        #expect(manifest < folder && folder < rendition)
    }

    @Test("A replaced manifest is durable before the old renditions are removed")
    func replaced() throws {
        let fixture = try ContainerFixture()
        for text in ["old", "new"] { try fixture.publish("one", text: text) }
        for file in try fixture.files(in: "renditions") {
            try fixture.age(file: "renditions/\(file)", hours: 9)
        }
        let interposer = CallInterposer { _, _ in .system }
        let report = try fixture.interposed(interposer).prune(try PruningPolicy())
        #expect(report.removed[.unreferenced]?.files == 2)
        let calls = interposer.calls
        let folder = try #require(
            calls.firstIndex { $0.name == .fsync && $0.path.hasSuffix("/notifications") })
        let rendition = try #require(
            calls.firstIndex { $0.name == .unlink && $0.path.contains("/renditions/") })
        #expect(folder < rendition)
    }

    @Test("A manifest that another pruning condemns and restores keeps its renditions")
    func condemnedByAnother() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let manifest = fixture.url(fixture.manifestFile("0"))
        let condemned = fixture.url(fixture.manifestFile("0") + ".condemned")
        // The other pruning condemns the manifest after this one has settled condemned files, and
        // restores it after this one has surveyed the manifests.
        let settling = OneTimeAction {}
        let condemning = OneTimeAction {
            try FileManager.default.moveItem(at: manifest, to: condemned)
        }
        let restoring = OneTimeAction {
            try fixture.container.pin("0")
            try FileManager.default.moveItem(at: condemned, to: manifest)
        }
        let container = try fixture.interposed(
            CallInterposer { call, _ in
                if call.name == .opendir, call.path.hasSuffix("/notifications") {
                    if settling.didRun { condemning.run() }
                    settling.run()
                }
                if call.name == .opendir, call.path.hasSuffix("/renditions") { restoring.run() }
                return .system
            })
        let report = try container.prune(try PruningPolicy())
        #expect(condemning.didRun && restoring.didRun)
        #expect(report.removed == [:] && !report.keptEveryRendition)
        #expect(try fixture.identifiers() == ["0"])
        #expect(try fixture.files(in: "renditions").count == 2)
        fixture.expectSound()
    }

    @Test("An unreadable condemned manifest protects every rendition")
    func unreadable() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        try fixture.container.forget("0")
        // It appears after this pruning has settled condemned files.
        let later = fixture.manifestFile("1") + ".condemned"
        let settling = OneTimeAction {}
        let condemning = OneTimeAction { try fixture.write(#"{"formatVersion":"2.0"}"#, to: later) }
        let container = try fixture.interposed(
            CallInterposer { call, _ in
                if call.name == .opendir, call.path.hasSuffix("/notifications") {
                    if settling.didRun { condemning.run() }
                    settling.run()
                }
                return .system
            })
        let report = try container.prune(try PruningPolicy())
        #expect(condemning.didRun)
        #expect(report.keptEveryRendition && report.failures == 1)
        #expect(try fixture.files(in: "renditions").count == 2)
    }

    @Test("The renditions of a restored notification are marked as used first")
    func restored() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let file = fixture.manifestFile("0")
        let pinning = OneTimeAction { try fixture.container.pin("0") }
        let interposer = CallInterposer { call, _ in
            if call.name == .rename, call.path.hasSuffix("\(file).condemned") { pinning.run() }
            return .system
        }
        try fixture.interposed(interposer).prune(try PruningPolicy(maximumCount: 0))
        #expect(pinning.didRun)
        for rendition in try #require(try fixture.container.manifest(for: "0")).renditions {
            let path = fixture.path("renditions/\(rendition.file)")
            let used = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
            #expect(try #require(used as? Date).timeIntervalSinceNow > -60)
        }
        let calls = interposer.calls
        let marking = try #require(
            calls.lastIndex { $0.name == .utimensat && $0.path.contains("/renditions/") })
        let naming = try #require(calls.firstIndex { $0.name == .link })
        #expect(marking < naming)
    }

    @Test("After the clock was set back, nothing counts as old")
    func clock() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9, 9])
        try fixture.container.forget("1")
        try fixture.container.pin("nobody")
        try fixture.age(file: "pinned/\(ContentDigest(of: "nobody"))", hours: 9)
        let files = try fixture.allFiles()
        let container = try SharedContainer.open(at: fixture.folder, interposer: ClockSetBack())
        let evictAll = try PruningPolicy(maximumCount: 0)
        let report = try container.prune(evictAll)
        #expect(report.removed == [:] && report.failures == 0)
        #expect(try fixture.allFiles() == files)
        // With a normal clock everything is old.
        try fixture.prune(evictAll)
        #expect(try fixture.allFiles() == ["thimble.json"])
    }
}

/// A clock that is set back by two hours after the first reading.
private final class ClockSetBack: SystemCallInterposer {
    private let isSetBack = Lock(false)

    var now: Date {
        let wasSetBack = isSetBack.withLock { isSetBack in
            defer { isSetBack = true }
            return isSetBack
        }
        return wasSetBack ? Date(timeIntervalSinceNow: -7200) : Date()
    }

    func perform(
        _ call: SystemCall, _ body: (_ limit: Int) -> SystemCall.ReturnValue
    ) -> SystemCall.ReturnValue { body(.max) }
}
