import AttachmentContainer
import Foundation
import Testing

@Suite("Verification")
struct VerificationTests {
    @Test("An intact container has no findings, and all its files are counted")
    func sound() throws {
        let fixture = try ContainerFixture()
        let manifests = try (0..<3).map { try fixture.publish("\($0)", text: "\($0)") }
        var progress: [VerificationTotals] = []
        let totals = fixture.container.verify { event in
            switch event {
            case .progress(let totals): progress.append(totals)
            case .finding(let finding): Issue.record("\(finding)")
            }
        }
        #expect(totals.manifests == 3)
        #expect(totals.renditions == 6)
        #expect(
            totals.bytes.bytes == manifests.flatMap(\.renditions).map(\.bytes.bytes).reduce(0, +))
        #expect(progress.count == 9)
        #expect(progress.last == totals)
    }

    @Test("A flipped bit is found, with and without a manifest")
    func flippedBit() throws {
        let fixture = try ContainerFixture()
        let file = "renditions/\(try fixture.publish("one").renditions[0].file)"
        var bytes = try Data(contentsOf: fixture.url(file))
        bytes[3] ^= 1
        try bytes.write(to: fixture.url(file))
        #expect(fixture.findings().map(\.code) == [.damagedRendition])
        #expect(fixture.findings().map(\.path) == [file])
        try FileManager.default.removeItem(at: fixture.url("notifications"))
        #expect(fixture.findings().filter { $0.severity == .error }.map(\.path) == [file])
    }

    @Test("A missing rendition is found, and its result is stale")
    func missing() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("one")
        let file = "renditions/\(manifest.renditions[1].file)"
        try FileManager.default.removeItem(at: fixture.url(file))
        let found = fixture.findings()
        #expect(found.map(\.code) == [.missingRendition, .staleResult])
        #expect(found[0].path == file)
        #expect(found[0].message.contains(manifest.key.rawValue))
    }

    @Test("A truncated rendition has the wrong length and digest")
    func cut() throws {
        let fixture = try ContainerFixture()
        let file = "renditions/\(try fixture.publish("one").renditions[0].file)"
        try fixture.write("cut", to: file)
        #expect(fixture.findings().map(\.code) == [.wrongLength, .damagedRendition, .staleResult])
    }

    @Test("Bad JSON, an unknown version and a foreign manifest are found")
    func manifests() throws {
        let fixture = try ContainerFixture()
        for identifier in ["bad", "later", "foreign"] { try fixture.publish(identifier) }
        try FileManager.default.removeItem(at: fixture.url("results"))
        try FileManager.default.removeItem(at: fixture.url(fixture.manifestFile("bad")))
        try fixture.write("{", to: fixture.manifestFile("bad"))
        try fixture.edit(fixture.manifestFile("later")) { $0["formatVersion"] = "2.0" }
        try fixture.edit(fixture.manifestFile("foreign")) { $0["identifier"] = "private" }
        let found = fixture.findings().filter { $0.severity == .error }
        #expect(
            Set(found.map(\.path)) == Set(["bad", "later", "foreign"].map(fixture.manifestFile)))
        #expect(found.filter { $0.code == .corruptManifest }.count == 2)
        #expect(found.filter { $0.code == .wrongKey }.count == 1)
        #expect(!found.contains { $0.description.contains("private") })
    }

    @Test(
        "Files outside the layout are found",
        arguments: [
            "notifications/.DS_Store", "notifications/abc.json", "renditions/file",
            "renditions/ab/file.jpg", "results/file", "pinned/file",
            "renditions/ab/\(ContentDigest(of: "")).jpg",
        ])
    func stray(name: String) throws {
        let fixture = try ContainerFixture()
        try FileManager.default.createDirectory(
            at: fixture.url("renditions/ab"), withIntermediateDirectories: true)
        try fixture.write("", to: name)
        let found = fixture.findings()
        #expect(found.map(\.code) == [.stray])
        #expect(found.map(\.path) == [name])
        #expect(found.map(\.severity) == [.warning])
    }

    @Test("Unknown files in the root, pins and fresh incoming files are not findings")
    func tolerated() throws {
        let fixture = try ContainerFixture()
        try fixture.write("", to: "Preferences.plist")
        try fixture.write("", to: "pinned/\(try fixture.publish("one").key)")
        try fixture.write("", to: "incoming/fresh")
        #expect(fixture.findings() == [])
    }

    @Test("Unreferenced renditions and stale incoming files are informational")
    func information() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one", text: "old")
        try fixture.publish("one", text: "new")
        try fixture.write("", to: "incoming/stale")
        try fixture.age("incoming/stale", by: 3700)
        let found = fixture.findings()
        #expect(
            found.map(\.code) == [.unreferencedRendition, .unreferencedRendition, .staleIncoming])
        #expect(found.allSatisfy { $0.severity == .information })
    }

    @Test("A folder named like a manifest is an error, and the rest is verified")
    func folder() throws {
        let fixture = try ContainerFixture()
        let name = fixture.manifestFile("two")
        try FileManager.default.createDirectory(
            at: fixture.url(name), withIntermediateDirectories: true)
        try fixture.publish("one")
        #expect(fixture.findings().map(\.code) == [.corruptManifest])
        #expect(fixture.container.verify { _ in }.manifests == 1)
    }
}
