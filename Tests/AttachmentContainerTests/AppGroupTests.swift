import AttachmentContainer
import Foundation
import Testing

@Suite("Container in an App Group", .timeLimit(.minutes(1)))
struct AppGroupTests {
    private let group = "group.example.daily-pick"

    @Test("The container is a subfolder, so that the group's other files are backed up")
    func folder() throws {
        let location = URL(fileURLWithPath: "/containers/group", isDirectory: true)
        let folder = try SharedContainer.folder(inAppGroup: group, at: location)
        #expect(folder.path == "/containers/group/Thimble")
    }

    @Test("A group missing from the entitlements is reported by name")
    func unknownGroup() throws {
        let error = try #require(throws: ContainerError.self) {
            try SharedContainer.folder(inAppGroup: group, at: nil)
        }
        #expect(error.code == .wrongGroup)
        #expect(error.path == group)
        #expect(error.reason.contains("entitlements"))
        #expect(error.description.contains("both extensions"))
    }

    @Test(
        "A group name without its prefix is reported", arguments: ["", "example", "Group.example"])
    func prefix(name: String) throws {
        let error = try #require(throws: ContainerError.self) {
            try SharedContainer.folder(inAppGroup: name, at: nil)
        }
        #expect(error.code == .wrongGroup)
        #expect(error.reason.contains("begins with group."))
    }
}
