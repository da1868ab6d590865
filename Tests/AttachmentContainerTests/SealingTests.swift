import AttachmentContainer
import Foundation
import Testing

@Suite("Sealed manifests", .timeLimit(.minutes(1)))
struct SealingTests {
    private let fixture: ContainerFixture
    private let key = SealingKey.random()
    /// The container of the app, with the key.
    private let container: SharedContainer

    init() throws {
        fixture = try ContainerFixture()
        container = fixture.container.sealing(with: key)
    }

    /// Publishes a notification whose rendition has these bytes as ciphertext.
    @discardableResult
    private func publish(
        _ identifier: String, _ text: String = "ciphertext", isSealed: Bool = true,
        to container: SharedContainer? = nil
    ) throws -> Manifest {
        let container = container ?? self.container
        var publication = Publication(in: container)
        let file = try IncomingFile(in: container)
        try file.append(Data(text.utf8))
        let seal = Manifest.Rendition.Seal(
            key: Data(repeating: 0x4B, count: 32), counter: Data(repeating: 0x43, count: 16))
        let rendition = try publication.add(
            file, as: .expanded, type: .jpeg, size: PixelSize(width: 1320, height: 990), crop: nil,
            seal: isSealed ? seal : nil)
        let manifest = try ContainerFixture.manifest(identifier, [rendition], source: "picture")
        try publication.commit(manifest)
        return manifest
    }

    private func stored(_ identifier: String) throws -> Data {
        try Data(contentsOf: fixture.url(fixture.manifestFile(identifier)))
    }

    private let display = Display(width: 400, scale: 3)

    @Test("A sealed manifest is read with its key, and tells nothing without it")
    func secret() throws {
        let manifest = try publish("secret-identifier")
        #expect(try container.manifest(for: "secret-identifier") == manifest)
        let text = String(decoding: try stored("secret-identifier"), as: UTF8.self)
        let traces = [
            "secret-identifier", "photo", "expanded", "streamed", "progressive",
            manifest.source.sha256.rawValue, manifest.placeholder.rawValue,
            manifest.averageColour.rawValue, Data(repeating: 0x4B, count: 32).base64EncodedString(),
        ]
        for trace in traces { #expect(!text.contains(trace), "\(trace)") }
        let object = try JSONSerialization.jsonObject(with: stored("secret-identifier"))
        #expect(
            Set((object as? [String: Any] ?? [:]).keys)
                == ["formatVersion", "key", "sealingKey", "renditions", "box"])
        #expect(manifest.renditions[0].file.hasSuffix(".sealed"))
        // No result has a name made of the picture's digest.
        #expect(try fixture.files(in: "results") == [])
        #expect(container.result(source: manifest.source.sha256, settings: "5e77") == nil)
        #expect(!"\(manifest) \(key)".contains("KKKK"))
        var dump = ""
        Swift.dump(manifest.renditions, to: &dump)
        Swift.dump(SealingKey([UInt8](repeating: 0x4B, count: 32)), to: &dump)
        #expect(!dump.contains("32 bytes") && !dump.contains("16 bytes"))
        #expect(!dump.contains("elements"), "\(dump)")
    }

    @Test("Without the key, or with another, a sealed picture counts as absent, with its reason")
    func withoutKey() throws {
        try publish("one")
        let other = fixture.container.sealing(with: SealingKey.random())
        let cases: [(SharedContainer, ContainerError.Code, DisplayContent.Absence)] = [
            (fixture.container, .sealed, .unreadable), (other, .otherKey, .evicted),
            (fixture.container.sealing(with: Locked()), .keyUnavailable, .unreadable),
        ]
        for (container, code, absence) in cases {
            let error = #expect(throws: ContainerError.self) { try container.manifest(for: "one") }
            #expect(error?.code == code && error?.fault.remedy.isEmpty == false)
            let content = container.content(for: "one", on: display)
            #expect(content.picture == nil && content.absence == absence)
        }
        #expect(container.content(for: "one", on: display).picture?.isSealed == true)
    }

    @Test("A manifest that was changed, or exchanged for another one, is refused")
    func changed() throws {
        try publish("one")
        try publish("two")
        let bytes = try stored("one")
        for index in stride(from: 0, to: bytes.count, by: 7) {
            var changed = bytes
            changed[index] ^= 1
            try changed.write(to: fixture.url(fixture.manifestFile("one")))
            if let found = try? container.manifest(for: "one") {
                // White space, or the name of the format, may change; the facts may not.
                #expect(found.identifier == "one" && found.renditions[0].isSealed)
            }
        }
        try stored("two").write(to: fixture.url(fixture.manifestFile("one")))
        let error = #expect(throws: ContainerError.self) { try container.manifest(for: "one") }
        #expect(error?.code == .wrongKey)
        // The encrypted part of one notification under the name of another.
        try fixture.edit(fixture.manifestFile("one")) {
            $0["key"] = ContentDigest(of: "one").rawValue
        }
        let second = #expect(throws: ContainerError.self) { try container.manifest(for: "one") }
        #expect(second?.code == .corrupt)
    }

    @Test("Files in the clear and sealed ones are never named by the wrong kind of manifest")
    func mixed() throws {
        for (isSealed, container) in [(false, container), (true, fixture.container)] {
            let error = #expect(throws: ContainerError.self) {
                try publish("one", isSealed: isSealed, to: container)
            }
            #expect(error?.code == .invalidManifest)
        }
        #expect(try fixture.files(in: "notifications") == [])
    }

    @Test("Pruning, verification and forgetting need no key")
    func tidied() throws {
        let manifest = try publish("kept")
        try publish("gone", "other")
        for identifier in ["kept", "gone"] {
            try fixture.age(file: fixture.manifestFile(identifier), hours: 2)
        }
        for file in try fixture.files(in: "renditions") {
            try fixture.age(file: "renditions/\(file)", hours: 2)
        }
        #expect(try fixture.prune(try PruningPolicy()).removed == [:])
        #expect(fixture.findings() == [])
        #expect(try fixture.container.forget(allBut: ["kept"]).isComplete)
        #expect(try fixture.files(in: "renditions") == manifest.renditions.map(\.file))
        #expect(try container.manifest(for: "kept") == manifest)
        #expect(try fixture.container.forget("kept"))
        try fixture.container.forget(allBut: [], olderThan: .zero)
        #expect(try fixture.allFiles() == ["thimble.json"])
    }

    @Test("A key has 32 bytes and a name that tells nothing, and no two are alike")
    func keys() throws {
        #expect(SealingKey([UInt8](repeating: 0, count: 31)) == nil)
        let bytes = (0..<32).map { UInt8($0) }
        let key = try #require(SealingKey(bytes))
        #expect(key.withBytes { $0 } == bytes && key.name.count == 16)
        #expect(key.name == SealingKey(bytes)?.name)
        #expect(Set((0..<100).map { _ in SealingKey.random().name }).count == 100)
    }
}

/// A keychain that cannot be read.
private struct Locked: SealingKeyProviding {
    func sealingKey() throws(ContainerError) -> SealingKey {
        throw ContainerError(.keyUnavailable, path: "group", reason: "the device is locked")
    }
}
