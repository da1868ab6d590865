import ArgumentParser
import AttachmentContainer
import Foundation

extension Container {
    /// `thimble container prune`.
    struct Prune: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove what is too old or too much, and what nobody needs any more.",
            discussion: """
                The oldest notifications go first; pinned ones, and everything younger than the grace \
                period, stay. So do renditions whose URLs 'thimble stage --publish-url' gave out in \
                the last --keep-published days, and these count against no limit once no \
                notification shows them. Other processes may go on publishing and reading meanwhile. The exit \
                code is 3 when files could not be read or removed.

                EXAMPLES
                  thimble container prune --container Container --dry-run
                  thimble container prune --container Container --max-total 100MB --max-days 7
                  thimble container prune --container Container --max-count 500 --report json
                """)

        @OptionGroup var container: ContainerOption

        @Option(help: "Most bytes that notifications may take, or none.")
        var maxTotal = Limit(PruningPolicy.default.maximumBytes)

        @Option(help: "Days that a notification is kept, or none.")
        var maxDays = Limit(
            PruningPolicy.default.maximumAge.map { Double($0.components.seconds) / 86_400 })

        @Option(help: "Most notifications that are kept, or none.")
        var maxCount = Limit(PruningPolicy.default.maximumCount)

        @Option(
            help: ArgumentHelp(
                "What was used in the last so many seconds is left alone.", valueName: "seconds"))
        var grace = PruningPolicy.default.gracePeriod / .seconds(1)

        @Option(
            help: ArgumentHelp(
                "Days that a rendition is kept after its URL was last given out by --publish-url.",
                valueName: "days"))
        var keepPublished = PruningPolicy.default.keepPublished / .seconds(86_400)

        @Flag(help: "Change nothing, and say what would go.")
        var dryRun = false

        @Option(help: "What to print on standard output: text or json.")
        var report = ReportFormat.fromEnvironment.value

        /// The JSON report.
        private struct Report: Encodable {
            let totals: PruningReport
            let removals: [PruningEvent.Removal]
        }

        func validate() throws {
            try ReportFormat.fromEnvironment.check()
            _ = try policy()
        }

        private func policy() throws -> PruningPolicy {
            guard grace.isFinite, abs(grace) < 1e12, abs(maxDays.value ?? 0) < 1e7,
                abs(keepPublished) < 1e7
            else {
                throw ValidationError(
                    "--grace, --max-days and --keep-published must be numbers of a lifetime")
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

        func run() throws {
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
                    case .progress(let so):
                        seen += 1
                        guard isInteractive, seen % 500 == 0 else { return }
                        Terminal.redraw(
                            "\(so.before.notifications) notifications, "
                                + "\(so.before.renditions) renditions")
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
                        + "given out in the last \(keepPublished) days")
            }
            if totals.exceedsPolicy {
                TextOutput.print("that is more than allowed: too much of it is pinned or fresh")
            }
            if totals.keptEveryRendition {
                TextOutput.print(
                    "renditions were left alone: a manifest that cannot be read may need them")
            }
        }
    }
}

/// A limit that there may be.
struct Limit<Value: ExpressibleByArgument & Sendable>: ExpressibleByArgument, Sendable {
    /// The limit; nil for none.
    let value: Value?

    init(_ value: Value?) { self.value = value }

    /// Reads `none` or a value.
    ///
    /// - Parameter argument: What stands on the command line.
    init?(argument: String) {
        if argument == "none" {
            value = nil
        } else if let value = Value(argument: argument) {
            self.value = value
        } else {
            return nil
        }
    }

    /// How the help shows a default.
    var defaultValueDescription: String { value?.defaultValueDescription ?? "none" }
}
