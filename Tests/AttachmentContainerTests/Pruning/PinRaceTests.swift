import AttachmentContainer
import Foundation
import Testing

@Suite("Concurrent pruning of pins", .timeLimit(.minutes(1)))
struct PinRaceTests {
    /// The pin of notification `0`.
    private let pin = "pinned/\(ContentDigest(of: "0"))"

    /// A container with an old pin and no notification.
    private func makeFixture() throws -> ContainerFixture {
        let fixture = try ContainerFixture()
        try fixture.container.pin("0")
        try fixture.age(file: pin, hours: 9)
        return fixture
    }

    /// Leaves the pin in the state of a killed pruning.
    private func condemn(_ fixture: ContainerFixture) throws {
        try FileManager.default.moveItem(
            at: fixture.url(pin), to: fixture.url(pin + ".condemned"))
    }

    @Test("A pin set again during its removal stays")
    func setAgain() throws {
        let fixture = try makeFixture()
        let interference = OneTimeAction {
            try fixture.publish("0")
            let isThere = try fixture.container.pin("0")
            #expect(isThere)
        }
        let container = try fixture.interposed(
            CallInterposer { call, _ in
                if [.rename, .unlink].contains(call.name), call.path.contains("/pinned/") {
                    interference.run()
                }
                return .system
            })
        let report = try container.prune(try PruningPolicy())
        #expect(interference.didRun)
        #expect(report.removed == [:] && report.failures == 0)
        #expect(try fixture.container.isPinned("0"))
        #expect(try fixture.allFiles().filter { $0.hasPrefix("pinned/") } == [pin])
        fixture.expectSound()
    }

    @Test("A pin removed while it is set again is recreated")
    func removedMeanwhile() throws {
        let fixture = try makeFixture()
        let file = fixture.url(pin)
        let interference = OneTimeAction { try FileManager.default.removeItem(at: file) }
        let container = try fixture.interposed(
            CallInterposer { call, _ in
                if call.name == .utimensat, call.path.contains("/pinned/") { interference.run() }
                return .system
            })
        try container.pin("0")
        #expect(interference.didRun)
        #expect(try fixture.container.isPinned("0"))
    }

    @Test("A dangling symbolic link is not a pin")
    func link() throws {
        let fixture = try ContainerFixture()
        try FileManager.default.createSymbolicLink(
            atPath: fixture.path(pin), withDestinationPath: "nowhere")
        let error = #expect(throws: ContainerError.self) { try fixture.container.pin("0") }
        #expect(error?.code == .corrupt)
    }

    @Test(
        "A condemned pin is reported, and restored by the next pruning if its notification exists",
        arguments: [true, false])
    func condemned(isWanted: Bool) throws {
        let fixture = try makeFixture()
        try condemn(fixture)
        if isWanted { try fixture.publishAged(hours: [9]) }
        let findings = fixture.findings()
        #expect(findings.map(\.code) == [.condemned])
        #expect(findings.map(\.path) == [pin + ".condemned"])

        let evictAll = try PruningPolicy(maximumCount: 0)
        let dry = try fixture.prune(evictAll, dryRun: true)
        let report = try fixture.prune(evictAll)
        #expect(report.removed == dry.removed)
        #expect(report.removed[.interrupted]?.files == (isWanted ? nil : 1))
        #expect(report.removed.count == (isWanted ? 0 : 1))
        #expect(report.pinned == (isWanted ? 1 : 0))
        #expect(try fixture.container.isPinned("0") == isWanted)
        #expect(try fixture.identifiers() == (isWanted ? ["0"] : []))
        #expect(try fixture.files(in: "pinned").count == (isWanted ? 1 : 0))
        fixture.expectSound()
    }

    @Test("Unpinning and forgetting also remove a condemned pin")
    func lifted() throws {
        let unpinned = try makeFixture()
        try condemn(unpinned)
        #expect(try unpinned.container.unpin("0"))
        #expect(try unpinned.files(in: "pinned").isEmpty)
        let forgotten = try makeFixture()
        try condemn(forgotten)
        try forgotten.publish("0")
        #expect(try forgotten.container.forget("0"))
        #expect(try forgotten.files(in: "pinned").isEmpty)
    }
}
