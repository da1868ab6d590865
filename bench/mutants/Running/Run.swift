public import ArgumentParser
import AttachmentContainer
import AttachmentModel
public import AttachmentWorker
import Foundation
public import WorkerProtocol

extension Mutants {
    /// `mutants run`: decodes many mutants with the real workers.
    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Decode mutants, and report crashes, breaches of the cap and hangs.")

        @OptionGroup var mutants: MutantOptions

        @Option(help: "Number of mutants.")
        var count = 20_000

        @Option(help: "Decode only the mutant of this number, as given by a finding.")
        var only: Int?

        @Option(help: "The cap on each worker, in MiB.")
        var cap = 24

        @Option(help: "Number of workers.")
        var jobs = 2

        @Option(help: "Time limit for a mutant on one rung, in seconds.")
        var timeout = 30.0

        @Option(help: "Mechanism that enforces the cap: auto, cgroup, rlimit or monitor.")
        var enforce = Enforcement.auto

        @Option(help: "Sandbox of the workers: require, auto or off.")
        var sandbox = SandboxMode.require

        @Option(help: "What to print on standard output: text or json.")
        var report = ReportFormat.text

        @Option(help: "Folder for findings.", transform: URL.init(fileURLWithPath:))
        var findings = URL(fileURLWithPath: ".build/mutants/findings")

        func run() async throws {
            let generator = try mutants.generator()
            let workplace = try Workplace()
            var settings = ProcessingSettings()
            settings.cap = MemoryCap(.mebibytes(cap))
            let limits = Lane.Limits(
                settings: settings, enforcement: enforce, sandbox: sandbox,
                timeout: .seconds(timeout))
            let numbers = only.map { $0..<$0 + 1 } ?? 0..<count
            let queue = MutantQueue(numbers)
            let start = ContinuousClock.now
            let tally = try await withThrowingTaskGroup(of: Tally.self) { lanes in
                for _ in 0..<max(1, min(jobs, numbers.count)) {
                    lanes.addTask {
                        let lane = try await Lane(
                            in: workplace, limits: limits, presets: generator.presets)
                        return try await lane.work(on: queue, generator)
                    }
                }
                return try await lanes.reduce(into: Tally()) { $0.add($1) }
            }
            queue.finishProgress()
            let summary = MutantReport(
                tally, seed: mutants.seed, originals: generator.originals.count, cap: settings.cap,
                harmed: workplace.faults(), elapsed: start.duration(to: .now))
            try summary.keep(
                tally.findings.map(\.number) + (only.map { [$0] } ?? []), in: findings, generator)
            switch report {
            case .text: summary.printText()
            case .json: try summary.printJSON()
            }
            guard summary.isClean else { throw ExitCode.failure }
        }
    }
}

enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

extension Enforcement: ExpressibleByArgument {}
extension SandboxMode: ExpressibleByArgument {}
