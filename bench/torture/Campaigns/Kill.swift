import ArgumentParser
import AttachmentContainer
import Foundation
import Randomness

/// `container-torture kill`: kills writers and checks the container after each.
struct Kill: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Kill writers with SIGKILL, and check after each.",
        discussion: """
            Every other writer is killed from outside at a random moment; the others kill \
            themselves at the boundary of a random system call.
            """)

    @Option(help: "Number of writers to kill.")
    var kills = 1000

    @Option(help: "Number of concurrent writers.")
    var writers = 4

    @Option(help: "The writers' grace period for pruning, in seconds.")
    var grace = 10

    @Option(help: "The seed; random by default.")
    var seed: UInt64?

    @Option(
        help: "Folder in which the container is created.", transform: URL.init(fileURLWithPath:))
    var folder = FileManager.default.temporaryDirectory

    func validate() throws {
        guard kills > 0, 1...64 ~= writers, grace > 0 else {
            throw ValidationError("kills and grace must be at least 1, and writers from 1 to 64")
        }
    }

    func run() throws {
        let seed = seed ?? UInt64.random(in: 0..<1_000_000)
        var campaign = try KillCampaign(
            in: Workplace(in: folder), writers: writers, grace: grace,
            randomness: SplitMix64(seed: seed))
        let duration = try ContinuousClock().measure { try campaign.run(kills: kills) }
        Figures.begin("Killed writers")
        Figures.row("SIGKILL at a random moment", campaign.killedOutside)
        Figures.row("SIGKILL at a random system call", campaign.killedInside)
        Figures.row("publications that were done", campaign.publications)
        Figures.row("operations that were cut short", campaign.cutShort)
        Figures.row("of these, publications", campaign.publicationsCutShort)
        Figures.row("verifications of the whole container", campaign.verifications)
        Figures.row(
            "files left in `incoming/`, all removed by the next pruning", campaign.leftovers)
        Figures.row("notifications lost, torn or without a rendition", campaign.violations.count)
        Figures.row("time (seed \(seed))", Figures.seconds(duration))
        try campaign.violations.exitIfAny()
    }
}

/// A run with killed writers.
struct KillCampaign {
    private let workplace: Workplace
    private let container: SharedContainer
    private let grace: Int
    private var slots: [Slot]
    private var randomness: SplitMix64
    /// Expected state of the notifications that belong to one writer.
    private var known: [String: String?] = [:]
    private(set) var killedOutside = 0
    private(set) var killedInside = 0
    private(set) var publications = 0
    private(set) var cutShort = 0
    private(set) var publicationsCutShort = 0
    private(set) var verifications = 0
    private(set) var leftovers = 0
    private(set) var violations = Violations()

    /// A sequence of writers with the same name.
    private struct Slot {
        var writer: ActorProcess?
        /// Delay of the kill after the start; nil if the writer kills itself.
        var delay: Duration?
        var due: ContinuousClock.Instant?
    }

    /// Number of notifications per writer, and shared by all.
    private static let own = 8
    private static let common = 4
    private static let pictures = 24

    init(in workplace: Workplace, writers: Int, grace: Int, randomness: SplitMix64) throws {
        self.workplace = workplace
        self.grace = grace
        self.randomness = randomness
        // Old unreferenced results, so that reuse races with removal.
        container = try workplace.fill(count: Self.pictures, category: "old")
        let manifests = workplace.container.appending(path: "notifications")
        for name in try FileManager.default.contentsOfDirectory(atPath: manifests.path) {
            try FileManager.default.removeItem(at: manifests.appending(path: name))
        }
        slots = Array(repeating: Slot(), count: writers)
    }

    mutating func run(kills: Int) throws {
        while killedOutside + killedInside < kills {
            for index in slots.indices where killedOutside + killedInside < kills {
                try visit(index)
            }
            Thread.sleep(forTimeInterval: 0.0005)
        }
        for slot in slots { slot.writer?.kill() }
        for index in slots.indices { try settle(index) }
        try tidy()
    }

    /// Starts a writer, kills it when it is due, and checks the container.
    private mutating func visit(_ index: Int) throws {
        guard let writer = slots[index].writer else { return try start(index) }
        // Evaluated once: a writer that is awaited but not killed would run forever.
        let isDue = slots[index].due.map { ContinuousClock.now >= $0 } ?? false
        if isDue { writer.kill() }
        if slots[index].due == nil, let delay = slots[index].delay, writer.hasBegun {
            slots[index].due = ContinuousClock.now + delay
        }
        guard isDue || !writer.isRunning else { return }
        if slots[index].delay == nil { killedInside += 1 } else { killedOutside += 1 }
        try settle(index)
    }

    private mutating func start(_ index: Int) throws {
        var options = [
            "--seed", "\(randomness.next())", "--own", "\(Self.own)", "--common", "\(Self.common)",
            "--grace", "\(grace)", "--pictures",
            "\(Self.pictures)",
        ]
        var slot = Slot()
        if Bool.random(using: &randomness) {
            // An operation takes milliseconds, mostly waiting for the volume.
            slot.delay = .microseconds(Int.random(in: 0...60_000, using: &randomness))
        } else {
            // Publishing takes about 50 calls, after 10 for opening the container.
            options += ["--die-before", "\(Int.random(in: 1...250, using: &randomness))"]
        }
        slot.writer = try ActorProcess(.writer, name: "writer\(index)", in: workplace, options)
        slots[index] = slot
    }

    /// Checks the container after a writer's exit.
    private mutating func settle(_ index: Int) throws {
        guard let writer = slots[index].writer else { return }
        slots[index].writer = nil
        if let failure = try writer.failure() { violations.note(failure) }

        var pending: Journal.Entry?
        for entry in try Journal.read(writer.log) {
            guard entry.ended != nil else {
                pending = entry
                continue
            }
            if case .published = entry.effect { publications += 1 }
            // Shared notifications may have been replaced by another writer since.
            if entry.identifier.hasPrefix("\(writer.name)-") { apply(entry) }
        }
        if let pending {
            cutShort += 1
            if case .published = pending.effect { publicationsCutShort += 1 }
        }
        for number in 0..<Self.own {
            let identifier = "\(writer.name)-\(number)"
            try compare(identifier, pending?.identifier == identifier ? pending?.effect : nil)
        }
        verify()
    }

    private mutating func apply(_ entry: Journal.Entry) {
        switch entry.effect {
        case .published(let category): known[entry.identifier] = .some(category)
        case .forgotten: known[entry.identifier] = .some(nil)
        case .refused, .none: break
        }
    }

    /// Compares the state with the last complete operation or the interrupted one.
    private mutating func compare(_ identifier: String, _ pending: Journal.Effect?) throws {
        let expected = known[identifier] ?? nil
        let manifest = try container.manifest(for: identifier)
        let isOnItsWay =
            switch pending {
            case .published(let category): manifest?.category == category
            case .forgotten: manifest == nil
            default: false
            }
        if manifest?.category != expected, !isOnItsWay {
            violations.note(
                "\(identifier) is \(manifest?.category ?? "gone"), "
                    + "and was published as \(expected ?? "nothing")")
        }
        known[identifier] = .some(manifest?.category)
        if case .torn(let reason) = Reading.check(identifier, in: container) {
            violations.note(reason)
        }
    }

    private mutating func verify() {
        verifications += 1
        for finding in container.findings where finding.severity != .information {
            violations.note(finding.description)
        }
    }

    /// Prunes as if one hour later and checks that all leftovers are removed.
    private mutating func tidy() throws {
        for name in ["incoming", "renditions", "results"] { try workplace.age(name, by: 7200) }
        var published: [String: String?] = [:]
        for entry in try container.manifests() {
            let manifest = try entry.get()
            published[manifest.identifier] = manifest.category
        }
        let incoming = workplace.container.appending(path: "incoming").path
        leftovers = try FileManager.default.contentsOfDirectory(atPath: incoming).count
        let report = try container.prune()
        if report.failures > 0 { violations.note("\(report.failures) files were not pruned") }
        for name in ["incoming", "notifications", "renditions"] {
            let folder = workplace.container.appending(path: name).path
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
            let isTidy =
                name == "incoming"
                ? names.isEmpty : !names.contains { $0.hasSuffix(".condemned") }
            if !isTidy { violations.note("\(name) is not tidy") }
        }
        for finding in container.findings { violations.note(finding.description) }
        for (identifier, category) in published
        where try container.manifest(for: identifier)?.category != category {
            violations.note("\(identifier) was lost by pruning")
        }
    }
}
