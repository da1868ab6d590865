import AttachmentContainer
import Foundation
import NotificationAdapters
import NotificationDelivery
import Testing

@Suite("The container of a service extension", .serialized, .timeLimit(.minutes(1)))
struct StageContainerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func error(_ code: ContainerError.Code) -> ContainerError {
        ContainerError(code, path: "/group", reason: "on purpose")
    }

    @Test("The App Group's container is used while it may be written")
    func group() throws {
        let group = folder.url.appendingPathComponent("group")
        let place = try StageContainer.open(orIn: folder.url) { () throws(ContainerError) in
            try SharedContainer.create(at: group)
        }
        #expect(!place.isTemporary && place.container.root == group)
        #expect(try folder.names == ["group"])
    }

    @Test(
        "While the group is closed, the extension's own folder is used, with files that stay open",
        arguments: [ContainerError.Code.unreadable, .notWritable])
    func closed(code: ContainerError.Code) throws {
        let place = try StageContainer.open(orIn: folder.url) { () throws(ContainerError) in
            throw error(code)
        }
        #expect(place.isTemporary)
        #expect(place.container.protection == .always)
        #expect(try folder.names == ["Thimble"])
        // A second notification before the unlock uses the same folder.
        let again = try StageContainer.open(orIn: folder.url) { () throws(ContainerError) in
            throw error(code)
        }
        #expect(again.container.root == place.container.root)
    }

    @Test("While the group is closed, pictures keep a stricter class, and no weaker one")
    func protection() throws {
        for protection in [DataProtection.whileUnlocked, .whileUnlockedUnlessOpen] {
            let place = try StageContainer.open(orIn: folder.url, protection: protection) {
                () throws(ContainerError) in throw error(.unreadable)
            }
            #expect(place.container.protection == protection)
        }
        let usual = try StageContainer.open(orIn: folder.url, protection: .afterFirstUnlock) {
            () throws(ContainerError) in throw error(.unreadable)
        }
        #expect(usual.container.protection == .always)
    }

    @Test("Once the group is open, pictures from before the first unlock are removed")
    func opened() async throws {
        let place = try StageContainer.open(orIn: folder.url) { () throws(ContainerError) in
            throw error(.unreadable)
        }
        let own = try PrivateDeliveryFixture(in: folder, place.container)
        for identifier in ["earlier", "a moment ago"] {
            let answer = try await own.answer(
                .data(PrivateDeliveryFixture.image("still-life-ready.jpg")),
                identifier: identifier)
            #expect(answer.outcome.manifest != nil, "\(answer.reasons)")
            guard identifier == "earlier" else { continue }
            for path in try own.contents.keys {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -90)],
                    ofItemAtPath: folder.url.appendingPathComponent(path).path)
            }
        }
        let group = folder.url.appendingPathComponent("group")
        let opened = try StageContainer.open(orIn: folder.url) { () throws(ContainerError) in
            try SharedContainer.create(at: group)
        }
        #expect(!opened.isTemporary)
        #expect(try place.container.manifest(for: "earlier") == nil)
        #expect(try place.container.manifest(for: "a moment ago") != nil)
    }

    @Test(
        "A fault of the set-up is reported, not worked around",
        arguments: [ContainerError.Code.wrongGroup, .full, .unknownVersion])
    func fault(code: ContainerError.Code) throws {
        let found = #expect(throws: ContainerError.self) {
            try StageContainer.open(orIn: folder.url) { () throws(ContainerError) in
                throw error(code)
            }
        }
        #expect(found?.code == code)
        #expect(try folder.names == [])
    }
}
