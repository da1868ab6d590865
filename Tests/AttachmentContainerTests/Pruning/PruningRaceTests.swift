import AttachmentContainer
import Foundation
import Testing

@Suite("Concurrent pruning", .timeLimit(.minutes(1)))
struct PruningRaceTests {
    private let evictAll: PruningPolicy

    init() throws { evictAll = try PruningPolicy(maximumCount: 0) }

    /// Prunes, and runs an action between the check and the removal of a file.
    private func prune(
        _ fixture: ContainerFixture, condemning name: String, hasHardLinks: Bool = true,
        meanwhile action: @escaping @Sendable () throws -> Void
    ) throws -> PruningReport {
        let interference = OneTimeAction(action)
        let container = try fixture.interposed(
            CallInterposer { call, _ in
                if call.name == .rename, call.path.hasSuffix("\(name).condemned") {
                    interference.run()
                }
                // The error of volumes without hard links: EPERM on Linux, ENOTSUP on Darwin.
                return call.name == .link && !hasHardLinks ? .failure(EPERM) : .system
            })
        let report = try container.prune(evictAll)
        #expect(interference.didRun)
        return report
    }

    @Test("A notification republished during its removal stays")
    func republished() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let report = try prune(fixture, condemning: fixture.manifestFile("0")) {
            try fixture.publish("0", text: "again")
        }
        #expect(report.removed[.count] == nil)
        let manifest = try #require(try fixture.container.manifest(for: "0"))
        #expect(manifest.source.sha256 == ContentDigest(of: "again"))
        fixture.expectSound()
    }

    @Test(
        "A notification pinned during its removal stays, with and without hard links",
        arguments: [true, false])
    func pinned(hasHardLinks: Bool) throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let report = try prune(
            fixture, condemning: fixture.manifestFile("0"), hasHardLinks: hasHardLinks
        ) {
            let isThere = try fixture.container.pin("0")
            #expect(isThere)
        }
        #expect(report.removed == [:])
        #expect(report.failures == 0)
        #expect(try fixture.identifiers() == ["0"])
        fixture.expectSound()
    }

    @Test("A rendition reused during its removal stays")
    func reused() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let manifest = try #require(try fixture.container.manifest(for: "0"))
        let report = try prune(fixture, condemning: manifest.renditions[0].file) {
            let result = fixture.container.result(
                source: manifest.source.sha256, settings: manifest.settings)
            try Publication(in: fixture.container).commit(
                try #require(result).readdressed(to: "1"))
        }
        #expect(report.removed[.count]?.files == 1)
        #expect(report.removed[.unreferenced] == nil)
        #expect(try fixture.identifiers() == ["1"])
        fixture.expectSound()
    }

    @Test(
        "A rendition reused before its removal can be published while it is renamed",
        arguments: [true, false])
    func published(hasHardLinks: Bool) throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let manifest = try #require(try fixture.container.manifest(for: "0"))
        let condemned = manifest.renditions[0].file + ".condemned"
        let reuse = OneTimeAction {
            let result = fixture.container.result(
                source: manifest.source.sha256, settings: manifest.settings)
            #expect(result != nil)
        }
        let publication = OneTimeAction {
            try Publication(in: fixture.container).commit(manifest.readdressed(to: "1"))
        }
        let container = try fixture.interposed(
            CallInterposer { call, _ in
                guard call.path.hasSuffix(condemned) else { return .system }
                if call.name == .rename { reuse.run() }
                if call.name == .stat, reuse.didRun { publication.run() }
                return call.name == .link && !hasHardLinks ? .failure(EPERM) : .system
            })
        let report = try container.prune(evictAll)
        #expect(publication.didRun)
        #expect(report.failures == 0 && report.removed[.unreferenced] == nil)
        #expect(try fixture.identifiers() == ["1"])
        fixture.expectSound()
    }

    @Test("A notification removed first by another process is not a failure")
    func gone() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let report = try prune(fixture, condemning: fixture.manifestFile("0")) {
            try fixture.container.forget("0")
        }
        #expect(report.failures == 0)
        #expect(report.removed[.count] == nil)
    }

    @Test("A notification removed and republished by another process is not a failure")
    func goneAndBack() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let file = fixture.manifestFile("0")
        let removal = OneTimeAction { try fixture.container.forget("0") }
        let publication = OneTimeAction { try fixture.publish("0", text: "again") }
        let container = try fixture.interposed(
            CallInterposer { call, _ in
                if call.name == .rename, call.path.hasSuffix("\(file).condemned") { removal.run() }
                if call.name == .stat, call.path.hasSuffix(file), removal.didRun {
                    publication.run()
                }
                return .system
            })
        let report = try container.prune(evictAll)
        #expect(report.failures == 0 && report.removed[.count] == nil)
        if !publication.didRun { try fixture.publish("0", text: "again") }
        let manifest = try #require(try fixture.container.manifest(for: "0"))
        #expect(manifest.source.sha256 == ContentDigest(of: "again"))
        fixture.expectSound()
    }

    @Test("A condemned notification settled first by another process is not a failure")
    func settledByAnother() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let file = fixture.manifestFile("0")
        let condemned = fixture.url(file + ".condemned")
        // It is pinned once it is condemned. Before this pruning restores it, another one does, and
        // another process removes it.
        let pinning = OneTimeAction { try fixture.container.pin("0") }
        let settling = OneTimeAction { try FileManager.default.removeItem(at: condemned) }
        let container = try fixture.interposed(
            CallInterposer { call, _ in
                if call.name == .rename, call.path.hasSuffix("\(file).condemned") { pinning.run() }
                if call.name == .link, call.path.hasSuffix(file) { settling.run() }
                return .system
            })
        let report = try container.prune(evictAll)
        #expect(settling.didRun)
        #expect(report.failures == 0 && report.removed[.count] == nil)
        try fixture.container.unpin("0")
        fixture.expectSound()
    }

    @Test(
        "Files condemned by an interrupted pruning are settled by the next",
        arguments: [true, false])
    func interrupted(isWanted: Bool) throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9, 8])
        let container = try fixture.interposed(
            CallInterposer { call, _ in
                // The process is killed once the manifest is condemned.
                call.name == .unlink ? .failure(EIO) : .system
            })
        let file = fixture.manifestFile("0")
        let cut = try container.prune(PruningPolicy(maximumCount: 1))
        #expect(cut.failures > 0)
        let condemned = file + ".condemned"
        #expect(FileManager.default.fileExists(atPath: fixture.path(condemned)))
        if isWanted { try fixture.container.pin("0") }

        let dry = try fixture.removals(try PruningPolicy(), dryRun: true).removals
        #expect(dry.contains { $0.path == condemned } != isWanted)
        let report = try fixture.prune(try PruningPolicy())
        #expect(report.removed[.interrupted]?.files == (isWanted ? nil : 1))
        #expect(try fixture.identifiers() == (isWanted ? ["0", "1"] : ["1"]))
        #expect(try !fixture.allFiles().contains { $0.hasSuffix(".condemned") })
        #expect(try fixture.files(in: "renditions").count == (isWanted ? 4 : 2))
        fixture.expectSound()
    }

    @Test("A condemned rendition that a manifest names is restored")
    func condemnedRendition() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let files = try fixture.files(in: "renditions").map { "renditions/\($0)" }
        for file in files {
            try FileManager.default.moveItem(
                at: fixture.url(file), to: fixture.url(file + ".condemned"))
        }
        let report = try fixture.prune(try PruningPolicy())
        #expect(report.removed == [:])
        #expect(report.after.renditions == 2)
        #expect(try fixture.files(in: "renditions").map { "renditions/\($0)" } == files)
        fixture.expectSound()
    }

    @Test("Verification reports condemned files as information")
    func verified() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let names = [
            fixture.manifestFile("1"), "renditions/\(try fixture.files(in: "renditions")[0])",
        ]
        .map { $0 + ".condemned" }
        for name in names { try fixture.write("", to: name) }
        let findings = fixture.findings()
        #expect(Set(findings.map(\.path)) == Set(names))
        #expect(findings.allSatisfy { $0.code == .condemned && $0.severity == .information })
    }

    @Test("A volume too full for another name can be pruned")
    func full() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9, 8])
        let container = try fixture.interposed(
            CallInterposer { call, _ in call.name == .rename ? .failure(ENOSPC) : .system })
        let report = try container.prune(evictAll)
        #expect(report.failures == 0)
        #expect(report.removed[.count]?.files == 2)
        #expect(try fixture.allFiles() == ["thimble.json"])
    }

    @Test("Removal of manifests is durable before their renditions are removed")
    func order() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let interposer = CallInterposer { _, _ in .system }
        try fixture.interposed(interposer).prune(evictAll)
        let calls = interposer.calls
        let manifest = try #require(
            calls.firstIndex {
                $0.name == .unlink && $0.path.contains("/notifications/")
            })
        let folder = try #require(
            calls.firstIndex { $0.name == .fsync && $0.path.hasSuffix("/notifications") })
        let rendition = try #require(
            calls.firstIndex { $0.name == .unlink && $0.path.contains("/renditions/") })
        #expect(manifest < folder && folder < rendition)
    }

    @Test("If the folder of manifests cannot be synchronised, every rendition stays")
    func undurable() throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let container = try fixture.interposed(
            CallInterposer { call, _ in
                call.name == .fsync && call.path.hasSuffix("/notifications")
                    ? .failure(EIO) : .system
            })
        let report = try container.prune(evictAll)
        #expect(report.keptEveryRendition && report.failures == 1)
        #expect(try fixture.files(in: "renditions").count == 2)
    }
}
