import AttachmentContainer
import Foundation
import Testing

/// What happens when another process acts in just the wrong moment.
@Suite("The wrong moment", .timeLimit(.minutes(1)))
struct MomentTests {
    /// The fixture's container, in which something is done once before a call that fits.
    private func container(
        _ fixture: ContainerFixture, before isDue: @escaping @Sendable (SystemCall) -> Bool,
        _ moment: Moment
    ) throws -> SharedContainer {
        try fixture.interposed(
            CallInterposer { call, _ in
                if isDue(call) { moment.come() }
                return .system
            })
    }

    @Test("A manifest whose rendition is removed while it is written is not published")
    func removedRendition() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("one")
        let file = fixture.url("renditions/\(manifest.renditions[1].file)")
        let moment = Moment { try FileManager.default.removeItem(at: file) }
        // The manifest is in `incoming/` already, and waits for the volume.
        let container = try container(
            fixture,
            before: { $0.name == .fsync && $0.path.contains("/incoming/") }, moment)
        let error = #expect(throws: ContainerError.self) {
            try Publication(in: container).commit(manifest.readdressed(to: "two"))
        }
        #expect(moment.came)
        #expect(error?.code == .missingRendition)
        #expect(try fixture.container.manifest(for: "two") == nil)
        #expect(try fixture.files(in: "incoming").isEmpty)
    }

    @Test("A rendition that took long to encode is marked as used when it is added, and published")
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

    @Test("A writer that was suspended before it published leaves a notification that is new")
    func suspendedWriter() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("one")
        let moment = Moment {
            for name in try fixture.files(in: "incoming") {
                try fixture.age(file: "incoming/\(name)", hours: 2)
            }
        }
        let container = try container(
            fixture,
            before: { $0.name == .fsync && $0.path.contains("/incoming/") }, moment)
        try Publication(in: container).commit(manifest.readdressed(to: "two"))
        #expect(moment.came)
        #expect(try fixture.prune(try PruningPolicy(maximumCount: 0)).removed == [:])
        #expect(try fixture.identifiers() == ["one", "two"])
    }

    @Test(
        "A notification that is evicted while it is verified is no finding",
        arguments: [true, false])
    func evictedWhileVerified(isReplaced: Bool) throws {
        let fixture = try ContainerFixture()
        try fixture.publishAged(hours: [9])
        let moment = Moment {
            try fixture.container.prune(try PruningPolicy(maximumCount: 0))
            if isReplaced { try fixture.publish("0", text: "again") }
        }
        let container = try container(
            fixture, before: { $0.name == .stat && $0.path.hasSuffix(".jpg") }, moment)
        container.verify { event in
            // What was published meanwhile may be told as unreferenced.
            if case .finding(let finding) = event { #expect(finding.severity == .information) }
        }
        #expect(moment.came)
    }

    @Test("A rendition that is removed while it is verified is no finding")
    func removedWhileVerified() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("one")
        try fixture.container.forget("one")
        let file = fixture.url("renditions/\(manifest.renditions[0].file)")
        let moment = Moment { try FileManager.default.removeItem(at: file) }
        let container = try container(
            fixture, before: { $0.name == .stat && $0.path == file.path }, moment)
        container.verify { event in
            if case .finding(let finding) = event {
                #expect(finding.code == .unreferencedRendition)
            }
        }
        #expect(moment.came)
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

    @Test("A publication is durable in the order in which a loss of power could tear it")
    func order() throws {
        let fixture = try ContainerFixture()
        let interposer = CallInterposer { _, _ in .system }
        let container = try fixture.interposed(interposer)
        _ = try publish(in: container)

        let calls = interposer.calls
        func place(_ name: SystemCall.Name, _ part: String, after start: Int = 0) throws -> Int {
            try #require(
                calls[start...].firstIndex { $0.name == name && $0.path.contains(part) })
        }
        let picture = try place(.fsync, "/incoming/")
        let named = try place(.rename, ".jpg", after: picture)
        let written = try place(.write, "/incoming/", after: named)
        let manifest = try place(.fsync, "/incoming/", after: written)
        let folder = try place(.fsync, "/renditions/", after: named)
        let parent = try #require(
            calls.firstIndex { $0.name == .fsync && $0.path.hasSuffix("/renditions") })
        let used = try place(.utimensat, ".jpg", after: manifest)
        let published = try place(.rename, "/notifications/")
        #expect(manifest < published && folder < published && parent < published)
        #expect(used < published)
        _ = try place(.fsync, "/notifications", after: published)
    }

    @Test("The folder of a rendition is made durable also where another process made it")
    func folderOfAnother() throws {
        let fixture = try ContainerFixture()
        // Who made it was killed before it was durable.
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

    @Test("A container is made durable also where another process made it")
    func containerOfAnother() throws {
        let fixture = try ContainerFixture()
        let interposer = CallInterposer { _, _ in .system }
        let container = try fixture.interposed(interposer)
        #expect(
            interposer.calls.contains { $0.name == .fsync && $0.path == container.root.path })
    }
}
