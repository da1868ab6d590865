import ArgumentParser
import AttachmentContainer
import Foundation

/// `container-torture crowd`: writers, readers, a pruner and a verifier on one container.
struct Crowd: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Let many processes use one container, and check everything that they read.")

    @Option(help: "How long, in seconds.")
    var seconds = 120.0

    @Option(help: "Number of processes that publish the same notifications.")
    var writers = 8

    @Option(help: "Number of processes that read them.")
    var readers = 8

    @Option(help: "Number of notifications; the pruner keeps half of them.")
    var notifications = 512

    @Option(help: "The pruner's grace period, in seconds.")
    var grace = 10

    @Option(
        help: "Folder in which the container is created.", transform: URL.init(fileURLWithPath:))
    var folder = FileManager.default.temporaryDirectory

    func run() throws {
        let workplace = try Workplace(in: folder)
        _ = try workplace.fill(count: notifications, category: History.before)
        let actors = try start(in: workplace)
        var violations = Violations()
        var counts: [String: Int] = [:]
        var journals: [[Journal.Entry]] = []
        for (role, actor) in actors {
            if let failure = try actor.failure() { violations.note(failure) }
            if role == .writer {
                journals.append(try Journal.read(actor.log))
            } else {
                let tally = try Tally.read(actor.log)
                counts.merge(tally.counts, uniquingKeysWith: +)
                for violation in tally.violations { violations.note("\(actor.name): \(violation)") }
            }
        }
        let container = try SharedContainer.open(at: workplace.container)
        for finding in container.findings where finding.severity != .information {
            violations.note(finding.description)
        }
        let history = History(journals)
        for number in 0..<notifications {
            let identifier = "all-\(number)"
            let last = try container.manifest(for: identifier)?.category
            if let fault = history.fault(of: identifier, last: last) { violations.note(fault) }
        }
        Figures.begin("\(writers) writers, \(readers) readers, a pruner and a verifier")
        Figures.row("publications", history.publications)
        Figures.row("publications refused after the grace period", history.refusals)
        Figures.row("readings of a whole notification", counts["shown"] ?? 0)
        Figures.row("readings of one that was not there", counts["not there"] ?? 0)
        Figures.row("notifications evicted meanwhile", counts["evicted"] ?? 0)
        Figures.row("renditions removed meanwhile", counts["renditions removed"] ?? 0)
        Figures.row("prunings", counts["prunings"] ?? 0)
        Figures.row("verifications of the whole container", counts["verifications"] ?? 0)
        Figures.row("torn, missing behind a manifest, or not the last", violations.count)
        Figures.row("time", Figures.seconds(.seconds(seconds)))
        try violations.exitIfAny()
    }

    private func start(in workplace: Workplace) throws -> [(role: Act.Role, process: ActorProcess)]
    {
        let roles =
            Array(repeating: Act.Role.writer, count: writers)
            + Array(repeating: .reader, count: readers) + [.pruner, .verifier]
        return try roles.enumerated().map { number, role in
            let options = [
                "--seed", "\(UInt64.random(in: 0 ... .max))", "--common", "\(notifications)",
                "--pictures", "\(notifications * 2)", "--grace", "\(grace)",
                "--keep", "\(notifications / 2)", "--seconds", "\(seconds)",
            ]
            return (
                role,
                try ActorProcess(role, name: "\(role.rawValue)\(number)", in: workplace, options)
            )
        }
    }
}

/// Journals of all writers on the shared notifications.
struct History {
    /// Category of the publications made before the writers start.
    static let before = "before"

    private var entries: [String: [Journal.Entry]] = [:]
    private(set) var publications = 0
    /// Publications that took longer than the grace period.
    private(set) var refusals = 0

    init(_ journals: [[Journal.Entry]]) {
        for entry in journals.joined() {
            switch entry.effect {
            case .none: continue
            case .refused:
                refusals += 1
                continue
            case .published: publications += 1
            case .forgotten: break
            }
            entries[entry.identifier, default: []].append(entry)
        }
    }

    /// A fault if the current state cannot be the result of the last operation.
    func fault(of identifier: String, last: String?) -> String? {
        guard let last else { return nil }
        let entries = entries[identifier] ?? []
        let own = entries.first { $0.effect == .published(category: last) }
        guard own != nil || last == Self.before else {
            return "\(identifier): no writer published its current state"
        }
        // No operation may have begun after the end of this one.
        let done = own.map { $0.ended ?? .max } ?? 0
        let later = entries.first { $0.began > done && $0.ended != nil }
        return later == nil ? nil : "\(identifier): another publication was later"
    }
}
