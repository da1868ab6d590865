import AttachmentContainer
import Foundation
import Testing

@Suite("Failing system calls", .timeLimit(.minutes(2)))
struct FaultTests {
    @Test(
        "Whichever call fails, every notification is whole, none is lost, and the next run tidies up",
        arguments: FaultScenario.all)
    func scenario(scenario: FaultScenario) throws {
        // Once without a fault: how many calls there are, and what is there at the end.
        let counter = CallInterposer { _, _ in .system }
        let sound = try ContainerFixture(waitingForVolume: false)
        try scenario.prepare(sound)
        let container = try sound.interposed(counter)
        let before = counter.calls.count
        try scenario.act(container)
        let calls = counter.calls.count - before
        #expect(calls >= 4)
        let published = try lasting(sound)
        let expected = try tidied(sound)

        for fault in Fault.allCases {
            let every = fault.isHarmless ? 1 : calls
            for struck in 1...every where fault.strikes(counter.calls[before + struck - 1]) {
                let context: Comment = "\(fault) at call \(struck) of \(calls)"
                let fixture = try ContainerFixture(waitingForVolume: false)
                try scenario.prepare(fixture)
                let container = try fixture.interposed(
                    CallInterposer { fault.answer($0, $1, at: before + struck) })
                do {
                    try scenario.act(container)
                    #expect(try fault == .killed || lasting(fixture) == published, context)
                } catch let error as ContainerError {
                    #expect(!fault.isHarmless, context)
                    #expect(error.code == .full || fault != .full, context)
                }
                try check(scenario, fixture, context)

                // The next run.
                try scenario.act(fixture.container)
                try check(scenario, fixture, context)
                #expect(try tidied(fixture) == expected, context)
            }
        }
    }

    /// The files that a publication which succeeds leaves in any case; a result need not be kept.
    private func lasting(_ fixture: ContainerFixture) throws -> [String] {
        try fixture.allFiles().filter { !$0.hasPrefix("results/") && !$0.hasPrefix("incoming/") }
    }

    /// Every notification is one that it may be, and whole.
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

    /// The files of a container once everything in it is old and was pruned without limits.
    private func tidied(_ fixture: ContainerFixture) throws -> [String] {
        for file in try fixture.allFiles() { try fixture.age(file: file, hours: 2) }
        let report = try fixture.prune(try PruningPolicy())
        #expect(report.failures == 0)
        #expect(try fixture.files(in: "incoming").isEmpty)
        return try fixture.allFiles()
    }

    @Test("Whichever call fails, making a container can be done again", arguments: Fault.allCases)
    func creation(fault: Fault) throws {
        let fixture = try ContainerFixture(waitingForVolume: false)
        let counter = CallInterposer { _, _ in .system }
        _ = try SharedContainer.create(at: fixture.url("counted/a"), interposer: counter)
        #expect(counter.calls.count > 10)
        for struck in 1...counter.calls.count {
            let context: Comment = "\(fault) at call \(struck)"
            let root = fixture.url("\(struck)/a")
            let interposer = CallInterposer { fault.answer($0, $1, at: struck) }
            do {
                _ = try SharedContainer.create(at: root, interposer: interposer)
            } catch {
                #expect(!fault.isHarmless, context)
                if error.path.hasSuffix("thimble.json") {
                    // Whoever opens it meanwhile finds none, or a whole one.
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
        "Whichever call fails, a reader has an answer, and a listing the others",
        arguments: Fault.allCases)
    func reading(fault: Fault) throws {
        let fixture = try ContainerFixture(waitingForVolume: false)
        for identifier in ["one", "two"] { try fixture.publish(identifier, text: identifier) }
        let display = Display(width: 440, scale: 3)
        let whole = fixture.container.content(for: "one", on: display)
        var struck = 0
        var isReached = true
        while isReached, !fault.isHarmless || struck == 0 {
            struck += 1
            let interposer = CallInterposer { [struck] call, number in
                fault.answer(call, number, at: struck)
            }
            defer { isReached = interposer.calls.count >= struck }
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
            // A folder that cannot be read to its end says so.
            if let listed { #expect(found.count == 2 || listed.contains(nil)) }
            container.verify { event in
                if case .finding(let finding) = event {
                    #expect(!fault.isHarmless)
                    #expect(finding.code == .unreadable || finding.severity == .information)
                }
            }
        }
        #expect(struck > 20 || fault.isHarmless)
    }
}
