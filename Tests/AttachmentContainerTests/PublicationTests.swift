import AttachmentContainer
import Foundation
import Testing

@Suite("Publication", .timeLimit(.minutes(2)))
struct PublicationTests {
    @Test("A rendition is stored under its digest, and incoming is empty afterwards")
    func stored() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("one", text: "picture")
        #expect(try fixture.files(in: "incoming").isEmpty)
        #expect(try fixture.files(in: "renditions") == manifest.renditions.map(\.file).sorted())
        for rendition in manifest.renditions {
            let bytes = try Data(contentsOf: fixture.url("renditions/\(rendition.file)"))
            #expect(ContentDigest(of: bytes) == rendition.sha256)
            #expect(bytes.count == rendition.bytes.bytes)
        }
    }

    @Test("The digest of a long file covers all its bytes, regardless of the descriptor's position")
    func longFile() throws {
        let fixture = try ContainerFixture()
        var noise = Noise(seed: 1)
        let bytes = Data((0..<200_001).map { _ in noise.next() })
        let file = try IncomingFile(in: fixture.container)
        try file.append(bytes)
        var publication = Publication(in: fixture.container)
        let rendition = try publication.add(
            file, as: .expanded, type: .png, size: PixelSize(width: 1, height: 1))
        #expect(rendition.sha256 == ContentDigest(of: bytes))
        #expect(rendition.bytes == ByteCount(200_001))
        #expect(rendition.file.hasSuffix(".png"))
    }

    @Test("The manifest records a rendition's crop")
    func crop() throws {
        let fixture = try ContainerFixture()
        let part = try #require(UnitRectangle(x: 0.25, y: 0, width: 0.75, height: 1))
        var publication = Publication(in: fixture.container)
        let file = try IncomingFile(in: fixture.container)
        try file.append(Data("banner".utf8))
        let rendition = try publication.add(
            file, as: .banner, type: .jpeg, size: PixelSize(width: 264, height: 264), crop: part)
        try publication.commit(try ContainerFixture.manifest("one", [rendition]))
        let manifest = try fixture.container.manifest(for: "one")
        #expect(manifest?.rendition(.banner)?.crop == part)
        #expect(try fixture.publish("two").renditions.allSatisfy { $0.crop == nil })
    }

    @Test("An incoming file can be rewritten, and is removed with its owner")
    func rewritten() throws {
        let fixture = try ContainerFixture()
        do {
            let file = try IncomingFile(in: fixture.container)
            try file.append(Data("a first attempt that was too long".utf8))
            try file.truncate()
            try file.append(Data("short".utf8))
            let name = try #require(try fixture.files(in: "incoming").first)
            #expect(try Data(contentsOf: fixture.url("incoming/\(name)")) == Data("short".utf8))
            #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
        }
        #expect(try fixture.files(in: "incoming").isEmpty)
    }

    @Test("The same rendition is stored once and marked as used now")
    func once() throws {
        let fixture = try ContainerFixture()
        let first = try fixture.publish("one")
        let file = "renditions/\(first.renditions[0].file)"
        try fixture.age(file, by: 86_400)
        let second = try fixture.publish("two")
        #expect(second.renditions == first.renditions)
        #expect(try fixture.files(in: "renditions").count == 2)
        let used = try FileManager.default.attributesOfItem(atPath: fixture.path(file))[
            .modificationDate]
        #expect(try #require(used as? Date).timeIntervalSinceNow > -60)
    }

    @Test("A truncated stored rendition is replaced")
    func healed() throws {
        let fixture = try ContainerFixture()
        let rendition = try fixture.publish("one").renditions[0]
        try fixture.write("cut", to: "renditions/\(rendition.file)")
        try fixture.publish("one")
        let bytes = try Data(contentsOf: fixture.url("renditions/\(rendition.file)"))
        #expect(ContentDigest(of: bytes) == rendition.sha256)
    }

    @Test("A manifest with a missing rendition is not published")
    func missingRendition() throws {
        let fixture = try ContainerFixture()
        let manifest = try fixture.publish("one")
        try FileManager.default.removeItem(
            at: fixture.url("renditions/\(manifest.renditions[1].file)"))
        let error = #expect(throws: ContainerError.self) {
            try Publication(in: fixture.container).commit(manifest.readdressed(to: "two"))
        }
        #expect(error?.code == .missingRendition)
        #expect(try fixture.container.manifest(for: "two") == nil)
    }

    @Test("A manifest that cannot be encoded or decoded is not published")
    func invalid() throws {
        let fixture = try ContainerFixture()
        let tooLong = String(repeating: "long", count: 1 << 18)
        let attempts = [
            ("one", { try fixture.publish("one", ratio: .nan) }),
            ("one", { try fixture.publish("one", ratio: 1e300) }),
            ("one", { try fixture.publish("one", duration: 1e18) }),
            (tooLong, { try fixture.publish(tooLong) }),
        ]
        for (identifier, attempt) in attempts {
            let error = #expect(throws: ContainerError.self) { try attempt() }
            #expect(error?.code == .invalidManifest)
            #expect(try fixture.container.manifest(for: identifier) == nil)
        }
        #expect(try fixture.files(in: "incoming").isEmpty)
    }

    @Test("A manifest with numbers at their limits is published and read")
    func strange() throws {
        let fixture = try ContainerFixture()
        for (identifier, ratio) in [("wide", 1e-6), ("tall", 1e6), ("unseen", 0.0)] {
            let manifest = try fixture.publish(identifier, ratio: ratio)
            #expect(try fixture.container.manifest(for: identifier) == manifest)
        }
        for (identifier, duration) in [("short", 0.0), ("long", 1e9)] {
            let manifest = try fixture.publish(identifier, duration: duration)
            #expect(try fixture.container.manifest(for: identifier) == manifest)
        }
    }

    @Test("A folder removed meanwhile causes a typed error")
    func lostFolder() throws {
        let fixture = try ContainerFixture()
        try FileManager.default.removeItem(at: fixture.url("incoming"))
        let error = #expect(throws: ContainerError.self) { try fixture.publish("one") }
        #expect(error?.code == .system)
        #expect(error?.detail.hasPrefix("open: ") == true)
    }

    @Test("The last of several publications of a notification is visible, complete")
    func lastWins() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one", text: "first")
        let last = try fixture.publish("one", text: "last")
        #expect(try fixture.container.manifest(for: "one") == last)
    }

    @Test("During concurrent publications a reader sees a complete notification or none")
    func wholeOrNone() async throws {
        let fixture = try ContainerFixture()
        let identifiers = (0..<4).map { "notification \($0)" }
        let writers = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for round in 0..<30 {
                            // Writers share some pictures and not others.
                            let text = "\(round % 3) \(writer % 2)"
                            try fixture.publish(
                                identifiers[(writer + round) % 4], text: text, notes: [text])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let readers = Task.detached {
            let container = try SharedContainer.open(at: fixture.folder)
            var seen = 0
            while seen == 0 || !Task.isCancelled {
                for identifier in identifiers {
                    let content = container.content(
                        for: identifier, on: Display(width: 440, scale: 3))
                    guard content.absence != .unknown else { continue }
                    let picture = try #require(content.picture)
                    let text = try String(contentsOf: picture.url, encoding: .utf8)
                    #expect(text == "expanded 1320x990 \(content.notes[0])")
                    seen += 1
                }
                await Task.yield()
            }
            return seen
        }
        try await writers.value
        readers.cancel()
        #expect(try await readers.value > 0)

        // Replaced renditions are unreferenced; there are no other findings.
        fixture.container.verify { event in
            if case .finding(let finding) = event {
                #expect(finding.code == .unreferencedRendition)
            }
        }
        #expect(try fixture.files(in: "incoming").isEmpty)
        #expect(try fixture.files(in: "notifications").count == 4)
    }
}
