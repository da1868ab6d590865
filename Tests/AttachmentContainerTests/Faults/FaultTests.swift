import AttachmentContainer
import Foundation
import Testing

@Suite("Failing system calls", .timeLimit(.minutes(2)))
struct FaultTests {
    @Test(
        "After any failed call notifications are complete, none is lost, and the next run cleans up",
        arguments: FaultScenario.all)
    func scenario(scenario: FaultScenario) throws {
        // A run without faults: number of calls, and files at the end.
        let counter = CallInterposer { _, _ in .system }
        let sound = try ContainerFixture(waitingForVolume: false)
        try scenario.prepare(sound)
        let container = try sound.interposed(counter)
        let before = counter.calls.count
        try scenario.act(container)
        let calls = counter.calls.count - before
        #expect(calls >= 4)
        let published = try durableFiles(sound)
        let expected = try filesAfterCleanup(sound)

        for fault in Fault.allCases {
            let every = fault.isHarmless ? 1 : calls
            for failing in 1...every where fault.applies(to: counter.calls[before + failing - 1]) {
                let context: Comment = "\(fault) at call \(failing) of \(calls)"
                let fixture = try ContainerFixture(waitingForVolume: false)
                try scenario.prepare(fixture)
                let container = try fixture.interposed(
                    CallInterposer { fault.answer($0, $1, at: before + failing) })
                do {
                    try scenario.act(container)
                    #expect(try fault == .killed || durableFiles(fixture) == published, context)
                } catch let error as ContainerError {
                    #expect(!fault.isHarmless, context)
                    #expect(error.code == .full || fault != .full, context)
                }
                try check(scenario, fixture, context)

                // The next run.
                try scenario.act(fixture.container)
                try check(scenario, fixture, context)
                #expect(try filesAfterCleanup(fixture) == expected, context)
            }
        }
    }

    /// Files that a successful publication must leave; results are optional.
    private func durableFiles(_ fixture: ContainerFixture) throws -> [String] {
        try fixture.allFiles().filter { !$0.hasPrefix("results/") && !$0.hasPrefix("incoming/") }
    }

    /// Expects every notification to be in an allowed state and complete.
    private func check(
        _ scenario: FaultScenario, _ fixture: ContainerFixture, _ context: Comment
    ) throws {
        let display = Display(width: 440, scale: 3)
        for (identifier, allowed) in scenario.outcomes {
            let content = fixture.container.content(for: identifier, on: display)
            guard let picture = content.picture else {
                #expect(content.absence == .unknown && allowed.contains(.missing), context)
                continue
            }
            let text = try String(contentsOf: picture.url, encoding: .utf8)
            let shown = try #require(text.split(separator: " ").last)
            #expect(allowed.contains(.shows(String(shown))), context)
        }
        fixture.container.verify { event in
            if case .finding(let finding) = event {
                #expect(finding.severity == .information, context)
            }
        }
    }

    /// Files left after aging everything and pruning without limits.
    private func filesAfterCleanup(_ fixture: ContainerFixture) throws -> [String] {
        for file in try fixture.allFiles() { try fixture.age(file: file, hours: 2) }
        let report = try fixture.prune(try PruningPolicy())
        #expect(report.failures == 0)
        #expect(try fixture.files(in: "incoming").isEmpty)
        return try fixture.allFiles()
    }

    @Test("A volume that accepts no bytes and reports no error is an error")
    func nothingWritten() throws {
        let fixture = try ContainerFixture(waitingForVolume: false)
        let container = try fixture.interposed(
            CallInterposer { call, _ in call.name == .write ? .short(0) : .system })
        let file = try IncomingFile(in: container)
        let error = #expect(throws: ContainerError.self) { try file.append(Data("text".utf8)) }
        #expect(error?.code == .system)
    }

    @Test("A file that becomes shorter while it is copied is an error, and leaves no copy")
    func shortened() throws {
        let fixture = try ContainerFixture(waitingForVolume: false)
        let source = try OwnedDescriptor(unnamedFileIn: fixture.folder.path)
        try #require(write(source.descriptor, "text", 4) == 4)
        let error = #expect(throws: ContainerError.self) {
            _ = try IncomingFile(
                sealing: source.descriptor, bytes: ByteCount(5), in: fixture.container)
        }
        #expect(error?.code == .sourceChanged)
        #expect(try fixture.files(in: "incoming").isEmpty)
    }

    @Test("Container creation can be repeated after any failed call", arguments: Fault.allCases)
    func creation(fault: Fault) throws {
        let fixture = try ContainerFixture(waitingForVolume: false)
        let counter = CallInterposer { _, _ in .system }
        _ = try SharedContainer.create(at: fixture.url("counted/a"), interposer: counter)
        #expect(counter.calls.count > 10)
        for failing in 1...counter.calls.count {
            let context: Comment = "\(fault) at call \(failing)"
            let root = fixture.url("\(failing)/a")
            let interposer = CallInterposer { fault.answer($0, $1, at: failing) }
            do {
                _ = try SharedContainer.create(at: root, interposer: interposer)
            } catch {
                #expect(!fault.isHarmless, context)
                if error.path.hasSuffix("thimble.json") {
                    // Another process finds no container, or a complete one.
                    let other = #expect(throws: ContainerError.self, context) {
                        try SharedContainer.open(at: root)
                    }
                    #expect(other?.code == .missing, context)
                }
            }
            _ = try SharedContainer.create(
                at: root, interposer: CallInterposer { _, _ in .system })
            #expect(try SharedContainer.open(at: root).root == root, context)
            fixture.expectSound()
        }
    }

    @Test(
        "After any failed call a reader gets content, and a listing the remaining manifests",
        arguments: Fault.allCases)
    func reading(fault: Fault) throws {
        let fixture = try ContainerFixture(waitingForVolume: false)
        for identifier in ["one", "two"] { try fixture.publish(identifier, text: identifier) }
        let display = Display(width: 440, scale: 3)
        let whole = fixture.container.content(for: "one", on: display)
        var failing = 0
        var isReached = true
        while isReached, !fault.isHarmless || failing == 0 {
            failing += 1
            let interposer = CallInterposer { [failing] call, number in
                fault.answer(call, number, at: failing)
            }
            defer { isReached = interposer.calls.count >= failing }
            let opened = try? SharedContainer.open(at: fixture.folder, interposer: interposer)
            guard let container = opened else {
                #expect(!fault.isHarmless)
                continue
            }
            let content = container.content(for: "one", on: display)
            #expect(content == whole || !fault.isHarmless)
            if content.picture == nil { #expect(content.absence != nil) }
            let listed = try? container.manifests().map { try? $0.get().identifier }
            let found = listed?.compactMap { $0 } ?? []
            #expect(found.count == 2 || !fault.isHarmless)
            // An incomplete listing contains an error.
            if let listed { #expect(found.count == 2 || listed.contains(nil)) }
            container.verify { event in
                if case .finding(let finding) = event {
                    #expect(!fault.isHarmless)
                    #expect(finding.code == .unreadable || finding.severity == .information)
                }
            }
        }
        #expect(failing > 20 || fault.isHarmless)
    }
}
