import AttachmentContainer
import Foundation
import Testing

/// An operation on a container in which any system call may fail.
struct FaultScenario: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Allowed final states by notification identifier.
    let outcomes: [String: Set<Outcome>]
    /// Preparation, without failing calls.
    let prepare: @Sendable (ContainerFixture) throws -> Void
    /// The operation, with failing calls.
    let act: @Sendable (SharedContainer) throws -> Void

    /// A notification as a reader sees it.
    enum Outcome: Hashable {
        case missing
        /// The complete picture with this text.
        case shows(String)
    }

    static let all = [
        FaultScenario(
            testDescription: "publish a new notification",
            outcomes: ["old": [.shows("old")], "new": [.missing, .shows("new")]],
            prepare: { try $0.publish("old", text: "old") },
            act: { try publish("new", text: "new", in: $0) }),
        FaultScenario(
            testDescription: "publish in place of another",
            outcomes: ["one": [.shows("first"), .shows("second")]],
            prepare: { try $0.publish("one", text: "first") },
            act: { try publish("one", text: "second", in: $0) }),
        FaultScenario(
            testDescription: "publish renditions that are stored already",
            outcomes: ["one": [.shows("same")], "two": [.missing, .shows("same")]],
            prepare: { try $0.publish("one", text: "same") },
            act: { try publish("two", text: "same", in: $0) }),
        FaultScenario(
            testDescription: "reuse a result",
            outcomes: ["one": [.shows("same")], "two": [.missing, .shows("same")]],
            prepare: { try $0.publish("one", text: "same") },
            act: { container in
                let result = container.result(source: ContentDigest(of: "same"), settings: "5e77")
                // Without a result the attachment is processed again.
                guard let result else { return try publish("two", text: "same", in: container) }
                try Publication(in: container).commit(
                    result.readdressed(to: "two", created: result.created))
            }),
        FaultScenario(
            testDescription: "pin and unpin", outcomes: ["one": [.shows("one")]],
            prepare: { fixture in
                try fixture.publish("one", text: "one")
                try fixture.container.pin("two")
            },
            act: { container in
                try container.pin("one")
                try container.unpin("two")
            }),
        FaultScenario(
            testDescription: "forget",
            outcomes: ["one": [.missing, .shows("same")], "two": [.shows("same")]],
            prepare: { fixture in
                try fixture.publish("two", text: "same")
                try fixture.publish("one", text: "same")
                try fixture.container.pin("one")
            },
            act: { try $0.forget("one") }),
        FaultScenario(
            testDescription: "prune",
            outcomes: [
                "old": [.missing, .shows("old")], "pinned": [.shows("pinned")],
                "fresh": [.shows("fresh")],
            ],
            prepare: { fixture in
                for identifier in ["old", "pinned", "fresh"] {
                    try fixture.publish(identifier, text: identifier)
                }
                try fixture.age("old", hours: 9)
                try fixture.age("pinned", hours: 9)
                try fixture.container.pin("pinned")
                try fixture.container.pin("nobody")
                try fixture.age(file: "pinned/\(ContentDigest(of: "nobody"))", hours: 9)
                try fixture.write("left", to: "incoming/left")
                try fixture.age(file: "incoming/left", hours: 9)
            },
            act: { container in
                // Removal failures do not end a pruning, so rethrow them here.
                var failure: ContainerError?
                try container.prune(try PruningPolicy(maximumCount: 1)) { event in
                    if case .failure(let error) = event { failure = error }
                }
                if let failure { throw failure }
            }),
    ]

    /// Publishes like the fixture, but through another container instance.
    static func publish(_ identifier: String, text: String, in container: SharedContainer) throws {
        var publication = Publication(in: container)
        let renditions = try ContainerFixture.sizes.map { role, size in
            let file = try IncomingFile(in: container)
            try file.append(Data("\(role.rawValue) \(size) \(text)".utf8))
            return try publication.add(file, as: role, type: .jpeg, size: size)
        }
        try publication.commit(
            ContainerFixture.manifest(identifier, renditions, source: text))
    }
}

enum Fault: Sendable, CaseIterable {
    /// One call fails with EIO.
    case input
    /// One call fails with ENOSPC.
    case full
    /// All calls from one on fail, as if the process had been killed.
    case killed
    /// A signal interrupts every call once.
    case interrupted
    /// Every read and write is limited to a few bytes.
    case short

    /// The answer to a call with a number, given the number of the failing call.
    func answer(_ call: SystemCall, _ number: Int, at failing: Int) -> CallInterposer.Answer {
        switch self {
        case .input: number == failing ? .failure(EIO) : .system
        case .full: number == failing ? .failure(ENOSPC) : .system
        case .killed: number >= failing ? .failure(EIO) : .system
        case .interrupted: number.isMultiple(of: 2) ? .system : .failure(EINTR)
        case .short: [.pread, .write].contains(call.name) ? .short(7) : .system
        }
    }

    /// True if the fault is possible for a call: only calls that allocate space fail on a full
    /// volume.
    func applies(to call: SystemCall) -> Bool {
        self != .full || [.open, .mkdir, .write, .fsync, .rename, .link].contains(call.name)
    }

    /// True if the operation must succeed despite the fault.
    var isHarmless: Bool { self == .interrupted || self == .short }
}
