import ArgumentParser
import AttachmentContainer
import Foundation

extension Container {
    /// `thimble container prune`.
    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune",
            abstract: "Remove notifications over the limits and files that nothing uses.",
            discussion: """
                The oldest notifications go first. Pinned ones and those younger than the grace \
                period stay. So do renditions whose URLs 'thimble stage --publish-url' published in \
                the last --keep-published days; these count toward no limit once no \
                notification uses them. Other processes may publish and read meanwhile. The exit \
                code is 3 when files could not be read or removed.

                With --published it removes objects from the stores of 'thimble stage --publish' instead, \
                each with its record, once their URLs were not given out for --keep-published days. The \
                stores are those in the records, or the one of --publish. A store that does not answer \
                is a failure, and its records stay. In folders, unfinished files of killed publishers \
                go after an hour.

                EXAMPLES
                  thimble container prune --container Container --dry-run
                  thimble container prune --container Container --max-total 100MB --max-days 7
                  thimble container prune --container Container --max-count 500 --report json
                  thimble container prune --container Container --published --keep-published 30
                """)

        @OptionGroup var container: ContainerOption

        @Option(help: "Limit on the bytes of all notifications, or none.")
        var maxTotal = Limit(PruningPolicy.default.maximumBytes)

        @Option(help: "Maximum age of a notification in days, or none.")
        var maxDays = Limit(
            PruningPolicy.default.maximumAge.map { Double($0.components.seconds) / 86_400 })

        @Option(help: "Maximum number of notifications, or none.")
        var maxCount = Limit(PruningPolicy.default.maximumCount)

        @Option(
            help: ArgumentHelp(
                "Files used in the last so many seconds are kept.", valueName: "seconds"))
        var grace = PruningPolicy.default.gracePeriod / .seconds(1)

        @Option(
            help: ArgumentHelp(
                "Days that a rendition is kept after --publish-url last published its URL.",
                valueName: "days"))
        var keepPublished = PruningPolicy.default.keepPublished / .seconds(86_400)

        @Flag(help: "Remove published objects from their stores, and no files of the container.")
        var published = false

        @Option(
            help: ArgumentHelp(
                "With --published, the only store to remove objects from.", valueName: "store"))
        var publish: String?

        @OptionGroup var access: StoreOptions

        @Flag(help: "Change nothing, and report what would be removed.")
        var dryRun = false

        @Option(help: "What to print on standard output: text or json.")
        var report = ReportFormat.fromEnvironment.value

        private struct Report: Encodable {
            let totals: PruningReport
            let removals: [PruningEvent.Removal]
        }

        func validate() throws {
            try ReportFormat.fromEnvironment.check()
            _ = try policy()
            guard publish == nil || published else {
                throw ValidationError("--publish has no effect without --published")
            }
        }

        func policy() throws -> PruningPolicy {
            guard grace.isFinite, abs(grace) < 1e12, abs(maxDays.value ?? 0) < 1e7,
                abs(keepPublished) < 1e7
            else {
                throw ValidationError("--grace, --max-days and --keep-published are out of range")
            }
            do {
                return try PruningPolicy(
                    maximumBytes: maxTotal.value,
                    maximumAge: maxDays.value.map { .seconds($0 * 86_400) },
                    maximumCount: maxCount.value, gracePeriod: .seconds(grace),
                    keepPublished: .seconds(keepPublished * 86_400))
            } catch {
                throw ValidationError("\(error)")
            }
        }

        func run() async throws {
            if published { return try await pruneObjects() }
            let shared = try container.open()
            let policy = try policy()
            let isInteractive = Terminal.isInteractive
            var removals: [PruningEvent.Removal] = []
            var seen = 0
            let totals = try orExit { () throws(ContainerError) in
                try shared.prune(policy, dryRun: dryRun) { event in
                    switch event {
                    case .removal(let removal): removals.append(removal)
                    case .failure(let error): Terminal.complain("failed: \(error)")
                    case .progress(let current):
                        seen += 1
                        guard isInteractive, seen % 500 == 0 else { return }
                        Terminal.redraw(
                            "\(current.before.notifications) notifications, "
                                + "\(current.before.renditions) renditions")
                    }
                }
            }
            if isInteractive { Terminal.erase() }
            switch report {
            case .json: try JSONOutput.print(Report(totals: totals, removals: removals))
            case .text: print(removals, totals)
            }
            if totals.failures > 0 { throw ExitCode.someFailed }
        }

        private func print(_ removals: [PruningEvent.Removal], _ totals: PruningReport) {
            for removal in removals {
                TextOutput.print(
                    "\(removal.reason.rawValue.padded(to: 14)) \(removal.path) (\(removal.bytes))")
            }
            let verb = dryRun ? "would be removed" : "removed"
            TextOutput.print("\(removals.count) files \(verb), \(totals.removedBytes)")
            TextOutput.print(
                "\(totals.after.notifications) notifications and \(totals.after.renditions) "
                    + "renditions (\(totals.after.bytes)) \(dryRun ? "would stay" : "stay"), "
                    + "\(totals.pinned) pinned, \(totals.fresh) fresh")
            if totals.published.files > 0 {
                TextOutput.print(
                    "\(totals.published.files) renditions (\(totals.published.bytes)) that no "
                        + "notification shows \(dryRun ? "would stay" : "stay"): their URLs were "
                        + "published in the last \(keepPublished) days")
            }
            if totals.exceedsPolicy {
                TextOutput.print("still over the limits: the rest is pinned or fresh")
            }
            if totals.keptEveryRendition {
                TextOutput.print("no renditions were removed: an unreadable manifest may use them")
            }
        }
    }
}

struct Limit<Value: ExpressibleByArgument & Sendable>: ExpressibleByArgument, Sendable {
    /// Nil means unlimited.
    let value: Value?

    init(_ value: Value?) { self.value = value }

    init?(argument: String) {
        if argument == "none" {
            value = nil
        } else if let value = Value(argument: argument) {
            self.value = value
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { value?.defaultValueDescription ?? "none" }
}
