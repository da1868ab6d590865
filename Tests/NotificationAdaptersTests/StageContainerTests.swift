import AttachmentContainer
import Foundation
import NotificationAdapters
import Testing

@Suite("The container of a service extension", .timeLimit(.minutes(1)))
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
