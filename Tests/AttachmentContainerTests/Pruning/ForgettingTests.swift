import AttachmentContainer
import Foundation
import Testing

@Suite("Forgetting of notifications", .timeLimit(.minutes(1)))
struct ForgettingTests {
    private let fixture: ContainerFixture
    private var container: SharedContainer { fixture.container }

    init() throws { fixture = try ContainerFixture() }

    /// All files but the one with the format's version.
    private func remains() throws -> [String] {
        try fixture.allFiles().filter { $0 != "thimble.json" }
    }

    @Test(
        "Notifications that are no longer delivered leave nothing behind, and the others stay whole"
    )
    func deleted() throws {
        try fixture.publishAged(hours: [1, 1, 1])
        let report = try container.forget(allBut: ["1"])
        #expect(report.isComplete && report.pinned == 0)
        #expect(
            Set(report.forgotten) == [ContentDigest(of: "0"), ContentDigest(of: "2")])
        // Of each: the manifest, its result and two renditions.
        #expect(report.removed.count == 8 && report.removedBytes.bytes > 0)
        #expect(try fixture.identifiers() == ["1"])
        let manifest = try #require(try container.manifest(for: "1"))
        #expect(
            try remains()
                == ([fixture.manifestFile("1")]
                + manifest.renditions.map { "renditions/\($0.file)" }
                + fixture.files(in: "results").map { "results/\($0)" }).sorted())
        #expect(try fixture.files(in: "results").count == 1)
        #expect(fixture.findings() == [])
        // Once more changes nothing.
        let again = try container.forget(allBut: ["1"])
        #expect(again.removed == [] && again.forgotten == [] && again.isComplete)
    }

    @Test("No file has an identifier in its name, and no file that remains has a forgotten one")
    func names() throws {
        for identifier in ["secret-identifier-1", "secret-identifier-2"] {
            try fixture.publish(identifier, text: "shared")
            try container.pin(identifier)
        }
        #expect(try fixture.allFiles().allSatisfy { !$0.contains("secret") })
        try container.unpin("secret-identifier-1")
        let report = try container.forget(allBut: [], olderThan: .zero)
        #expect(report.forgotten == [ContentDigest(of: "secret-identifier-1")])
        #expect(report.pinned == 1)
        for file in try fixture.allFiles() {
            let bytes = try Data(contentsOf: fixture.url(file))
            #expect(bytes.range(of: Data("secret-identifier-1".utf8)) == nil, "\(file)")
        }
    }

    @Test("A rendition that another notification shows stays")
    func shared() throws {
        for identifier in ["one", "two"] {
            try fixture.publish(identifier, sharing: 100, own: 50)
            try fixture.age(identifier, hours: 1)
        }
        let report = try container.forget(allBut: ["two"])
        #expect(report.removed.filter { $0.path.hasPrefix("renditions/") }.count == 1)
        #expect(try container.manifest(for: "two") != nil)
        #expect(fixture.findings() == [])
    }

    @Test(
        "A notification that may be on its way to the delivered ones stays, unless all is forgotten"
    )
    func fresh() throws {
        try fixture.publish("new")
        let unfinished = try IncomingFile(in: container)
        #expect(try container.forget(allBut: []).removed == [])
        #expect(try fixture.identifiers() == ["new"])
        let report = try container.forget(allBut: [], olderThan: .zero)
        #expect(report.forgotten.count == 1)
        #expect(try remains() == [])
        _ = consume unfinished
    }

    @Test("Pinned notifications and renditions whose URL was given out stay")
    func kept() throws {
        let manifest = try fixture.publish("pinned")
        try container.pin("pinned")
        try fixture.age("pinned", hours: 1)
        try fixture.publish("published", text: "published")
        let rendition = try #require(try container.manifest(for: "published")?.renditions.first)
        #expect(try container.recordPublished(rendition))
        try fixture.age("published", hours: 1)
        let report = try container.forget(allBut: [])
        #expect(report.pinned == 1 && report.forgotten == [ContentDigest(of: "published")])
        #expect(try container.manifest(for: "pinned") == manifest)
        #expect(
            try fixture.files(in: "renditions").sorted()
                == (manifest.renditions.map(\.file) + [rendition.file]).sorted())
    }

    @Test(
        "Files of killed writers and prunings go, and an unreadable manifest keeps the renditions")
    func leftovers() throws {
        try fixture.publishAged(hours: [1])
        try fixture.write("part", to: "incoming/part")
        try fixture.age(file: "incoming/part", hours: 1)
        let manifest = fixture.path(fixture.manifestFile("0"))
        try FileManager.default.moveItem(atPath: manifest, toPath: manifest + ".condemned")
        // Delivered, so it is restored, though an interrupted pruning condemned it.
        let first = try container.forget(allBut: ["0"])
        #expect(try fixture.identifiers() == ["0"])
        #expect(first.removed.map(\.path) == ["incoming/part"])
        // The restoration counts as a use of the renditions.
        try fixture.age("0", hours: 1)
        try FileManager.default.moveItem(atPath: manifest, toPath: manifest + ".condemned")
        let second = try container.forget(allBut: [])
        #expect(second.forgotten == [ContentDigest(of: "0")])
        #expect(try remains() == [])

        try fixture.publishAged(hours: [1, 1])
        try fixture.edit(fixture.manifestFile("1")) { $0["formatVersion"] = "9.0" }
        let third = try container.forget(allBut: [])
        #expect(!third.isComplete && third.keptEveryRendition && third.failures.count == 1)
        #expect(third.forgotten == [ContentDigest(of: "0")])
    }

    @Test("A retention in minutes removes what is older, at the next pruning")
    func retention() throws {
        let policy = try PruningPolicy.retaining(for: .seconds(600))
        #expect(policy.maximumAge == .seconds(600) && policy.gracePeriod == .seconds(60))
        for (identifier, age) in [("old", 601.0), ("young", 500.0)] {
            let manifest = try fixture.publish(identifier, text: identifier)
            try fixture.age(fixture.manifestFile(identifier), by: age)
            for rendition in manifest.renditions {
                try fixture.age("renditions/\(rendition.file)", by: age)
            }
        }
        for (name, age) in [("killed", 601.0), ("arriving", 500.0)] {
            try fixture.write("part", to: "incoming/\(name)")
            try fixture.age("incoming/\(name)", by: age)
        }
        try fixture.prune(policy)
        #expect(try fixture.identifiers() == ["young"])
        #expect(try fixture.files(in: "renditions").count == 2)
        #expect(try fixture.files(in: "incoming") == ["arriving"])
        let error = #expect(throws: SettingsError.self) {
            try PruningPolicy.retaining(for: .seconds(59))
        }
        #expect(error?.field == "maximumAge")
    }
}
