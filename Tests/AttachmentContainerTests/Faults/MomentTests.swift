import AttachmentContainer
import Foundation
import Testing

/// Interference by another process at a critical point.
@Suite("Interference by other processes", .timeLimit(.minutes(1)))
struct MomentTests {
    /// The fixture's container, which runs an action once, before the first matching call.
    private func container(
        _ fixture: ContainerFixture, before matches: @escaping @Sendable (SystemCall) -> Bool,
        _ interference: OneTimeAction
    ) throws -> SharedContainer {
        try fixture.interposed(
            CallInterposer { call, _ in
                if matches(call) { interference.run() }
                return .system
            })
    }

    @Test("A manifest is not published if a rendition is removed while it is written")
    func removedRendition() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("one")
        let file = fixture.url("renditions/\(manifest.renditions[1].file)")
        let interference = OneTimeAction { try FileManager.default.removeItem(at: file) }
        // The manifest is already in `incoming/` and waits for the volume.
        let container = try container(
            fixture,
            before: { $0.name == .fsync && $0.path.contains("/incoming/") }, interference)
        let error = #expect(throws: ContainerError.self) {
            try Publication(in: container).commit(manifest.readdressed(to: "two"))
        }
        #expect(interference.didRun)
        #expect(error?.code == .missingRendition)
        #expect(try fixture.container.manifest(for: "two") == nil)
        #expect(try fixture.files(in: "incoming").isEmpty)
    }

    @Test("A slowly encoded rendition is marked as used when added, and published")
    func slowWriter() throws {
        let fixture = try ContainerFixture()
        let file = try IncomingFile(in: fixture.container)
        try file.append(Data("slow".utf8))
        let name = try #require(try fixture.files(in: "incoming").first)
        try fixture.age(file: "incoming/\(name)", hours: 2)
        var publication = Publication(in: fixture.container)
        let rendition = try publication.add(
            file, as: .expanded, type: .jpeg, size: PixelSize(width: 1, height: 1))
        #expect(try fixture.prune(try PruningPolicy()).removed == [:])
        try publication.commit(ContainerFixture.manifest("one", [rendition]))
        fixture.expectSound()
    }

    @Test("A notification is fresh even if its writer was suspended before publishing")
    func suspendedWriter() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("one")
        let interference = OneTimeAction {
            for name in try fixture.files(in: "incoming") {
                try fixture.age(file: "incoming/\(name)", hours: 2)
            }
        }
        let container = try container(
            fixture,
            before: { $0.name == .fsync && $0.path.contains("/incoming/") }, interference)
        try Publication(in: container).commit(manifest.readdressed(to: "two"))
        #expect(interference.didRun)
        #expect(try fixture.prune(try PruningPolicy(maximumCount: 0)).removed == [:])
        #expect(try fixture.identifiers() == ["one", "two"])
    }

    @Test(
        "A notification evicted during verification is not a finding",
        arguments: [true, false])
    func evictedWhileVerified(isReplaced: Bool) throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let interference = OneTimeAction {
            try fixture.container.prune(try PruningPolicy(maximumCount: 0))
            if isReplaced { try fixture.publish("0", text: "again") }
        }
        let container = try container(
            fixture, before: { $0.name == .stat && $0.path.hasSuffix(".jpg") }, interference)
        container.verify { event in
            // Renditions published meanwhile may be reported as unreferenced.
            if case .finding(let finding) = event { #expect(finding.severity == .information) }
        }
        #expect(interference.didRun)
    }

    @Test("A rendition removed during verification is not a finding")
    func removedWhileVerified() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("one")
        try fixture.container.forget("one")
        let file = fixture.url("renditions/\(manifest.renditions[0].file)")
        let interference = OneTimeAction { try FileManager.default.removeItem(at: file) }
        let container = try container(
            fixture, before: { $0.name == .stat && $0.path == file.path }, interference)
        container.verify { event in
            if case .finding(let finding) = event {
                #expect(finding.code == .unreferencedRendition)
            }
        }
        #expect(interference.didRun)
    }

    private func publish(in container: SharedContainer) throws -> Manifest.Rendition {
        let file = try IncomingFile(in: container)
        try file.append(Data("picture".utf8))
        var publication = Publication(in: container)
        let rendition = try publication.add(
            file, as: .expanded, type: .jpeg, size: PixelSize(width: 1, height: 1))
        try publication.commit(ContainerFixture.manifest("one", [rendition]))
        return rendition
    }

    @Test("A publication synchronises files and folders in crash-safe order")
    func order() throws {
        let fixture = try ContainerFixture()
        let interposer = CallInterposer { _, _ in .system }
        let container = try fixture.interposed(interposer)
        _ = try publish(in: container)

        let calls = interposer.calls
        func index(of name: SystemCall.Name, _ part: String, after start: Int = 0) throws -> Int {
            try #require(
                calls[start...].firstIndex { $0.name == name && $0.path.contains(part) })
        }
        let picture = try index(of: .fsync, "/incoming/")
        let named = try index(of: .rename, ".jpg", after: picture)
        let written = try index(of: .write, "/incoming/", after: named)
        let manifest = try index(of: .fsync, "/incoming/", after: written)
        let folder = try index(of: .fsync, "/renditions/", after: named)
        let parent = try #require(
            calls.firstIndex { $0.name == .fsync && $0.path.hasSuffix("/renditions") })
        let used = try index(of: .utimensat, ".jpg", after: manifest)
        let published = try index(of: .rename, "/notifications/")
        #expect(manifest < published && folder < published && parent < published)
        #expect(used < published)
        _ = try index(of: .fsync, "/notifications", after: published)
    }

    @Test("A rendition's folder is synchronised even if another process created it")
    func folderOfAnother() throws {
        let fixture = try ContainerFixture()
        // The process that created it was killed before it synchronised the entry.
        let digits = ContentDigest(of: "picture").rawValue.prefix(2)
        try FileManager.default.createDirectory(
            at: fixture.url("renditions/\(digits)"), withIntermediateDirectories: false)
        let interposer = CallInterposer { _, _ in .system }
        let container = try fixture.interposed(interposer)
        let rendition = try publish(in: container)
        #expect(rendition.file.hasPrefix(digits))
        let calls = interposer.calls
        let parent = try #require(
            calls.firstIndex { $0.name == .fsync && $0.path.hasSuffix("/renditions") })
        let published = try #require(
            calls.firstIndex { $0.name == .rename && $0.path.contains("/notifications/") })
        #expect(parent < published)
    }

    @Test("A container is synchronised even if another process created it")
    func containerOfAnother() throws {
        let fixture = try ContainerFixture()
        let interposer = CallInterposer { _, _ in .system }
        let container = try fixture.interposed(interposer)
        #expect(
            interposer.calls.contains { $0.name == .fsync && $0.path == container.root.path })
    }
}
