import AttachmentContainer
import Foundation
import Testing

@Suite("Sweeping incoming files")
struct StaleIncomingTests {
    @Test("Stale files are removed; fresh files and files in use stay")
    func sweep() throws {
        let fixture = try ContainerFixture()
        try fixture.write("left by a crash", to: "incoming/stale")
        try fixture.age("incoming/stale", by: 3700)
        try fixture.write("a moment ago", to: "incoming/fresh")
        try fixture.age("incoming/fresh", by: 3500)
        let inUse = try IncomingFile(in: fixture.container)
        #expect(try fixture.container.removeStaleIncoming() == 1)
        #expect(try fixture.files(in: "incoming").contains("fresh"))
        #expect(try fixture.files(in: "incoming").count == 2)
        #expect(try fixture.container.removeStaleIncoming(olderThan: .seconds(3400)) == 1)
        try inUse.append(Data("still open".utf8))
        #expect(try fixture.files(in: "incoming").count == 1)
    }

    @Test("Age is measured by the container's clock")
    func clock() throws {
        let fixture = try ContainerFixture()
        try fixture.write("a moment ago", to: "incoming/fresh")
        let later = try SharedContainer.open(at: fixture.folder, interposer: LateClock())
        #expect(try fixture.container.removeStaleIncoming() == 0)
        #expect(try later.removeStaleIncoming() == 1)
    }

    @Test("An empty or missing folder is swept without an error")
    func nothing() throws {
        let fixture = try ContainerFixture()
        #expect(try fixture.container.removeStaleIncoming() == 0)
        try FileManager.default.removeItem(at: fixture.url("incoming"))
        #expect(try fixture.container.removeStaleIncoming() == 0)
    }
}

/// A clock two hours ahead.
private struct LateClock: SystemCallInterposer {
    var now: Date { Date(timeIntervalSinceNow: 7200) }

    func perform(
        _ call: SystemCall, _ body: (_ limit: Int) -> SystemCall.ReturnValue
    ) -> SystemCall.ReturnValue { body(.max) }
}
