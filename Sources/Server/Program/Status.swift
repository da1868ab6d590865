import ArgumentParser
import AttachmentFleet
import AttachmentService
import Foundation
import JobBroker
import ServiceOptions

/// `thimble-server status`: queues and workers of a fleet.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print the queues and the workers of the fleet.",
        discussion: """
            Of each queue, the jobs that no worker has taken and the change a second during \
            --interval: negative while workers take more than is submitted. Of each worker, the \
            jobs in work, the seconds that its last job had waited, which is about the age of the \
            oldest one, and finished jobs. Failures are counted by their codes, since the workers' \
            starts. Workers that do not answer within the interval are missing.

            EXAMPLES
              thimble-server status
              thimble-server status --interval 10 --json
            """)

    @Option(help: ArgumentHelp("Time between two looks.", valueName: "seconds"))
    var interval = 2.0

    @Flag(help: "Print JSON.") var json = false

    @OptionGroup var flags: ServiceFlags

    private struct Report: Encodable {
        struct Queue: Encodable {
            let queue: JobQueue
            let ready: Int
            let consumers: Int
            /// Jobs a second.
            let rate: Double
        }

        let queues: [Queue]
        let workers: [WorkerState]

        /// Since the workers' starts, by code.
        var failures: [String: Int] {
            workers.map(\.failures).reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
    }

    func validate() throws {
        guard 0.1...3600 ~= interval else {
            throw ValidationError("--interval must be from 0.1 to 3600 seconds")
        }
    }

    func run() async throws {
        let configuration = try await Serve.prepare(flags, needsContainer: false)
        let report: Report
        do {
            let queues = try QueueInspection.open(try configuration.brokerSettings())
            let first = try queues.depths()
            let begun = ContinuousClock.now
            let states = try queues.states(within: .seconds(interval))
            let seconds = begun.duration(to: .now) / .seconds(1)
            let lines = zip(first, try queues.depths()).map { first, last in
                Report.Queue(
                    queue: last.queue, ready: last.ready, consumers: last.consumers,
                    rate: Double(last.ready - first.ready) / seconds)
            }
            queues.close()
            report = Report(
                queues: lines,
                workers: states.compactMap { WorkerState(reading: $0) }
                    .sorted { $0.worker < $1.worker })
        } catch {
            Serve.complain("\(error)")
            throw ExitCode.unusable
        }
        guard !json else {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            print(String(decoding: try encoder.encode(report), as: UTF8.self))
            return
        }
        show(report)
    }

    private func show(_ report: Report) {
        print("queue          ready  workers  change a second")
        for line in report.queues {
            let columns = [
                line.queue.rawValue.padding(toLength: 13, withPad: " ", startingAt: 0),
                "\(line.ready)".leftPadded(6), "\(line.consumers)".leftPadded(7),
                "\(Int(line.rate.rounded()))".leftPadded(15),
            ]
            print(columns.joined(separator: "  "))
        }
        guard !report.workers.isEmpty else { return print("\nno worker answers") }
        let width = report.workers.map(\.worker.count).max() ?? 0
        let title = "worker".padding(toLength: max(6, width), withPad: " ", startingAt: 0)
        print("\n\(title)  in work  last wait  finished  failed")
        for worker in report.workers {
            let columns = [
                worker.worker.printable.padding(
                    toLength: max(6, width), withPad: " ", startingAt: 0),
                "\(worker.running) of \(worker.limit)".leftPadded(7),
                "\(Int(worker.wait.rounded())) s".leftPadded(9),
                "\(worker.outcomes.values.reduce(0, +))".leftPadded(8),
                "\(worker.failures.values.reduce(0, +))".leftPadded(6),
            ]
            print(columns.joined(separator: "  "))
        }
        for (code, count) in report.failures.sorted(by: { $0.value > $1.value }) {
            print("\(code.printable): \(count)")
        }
    }
}

extension WorkerState {
    /// Finished jobs without renditions, by code.
    fileprivate var failures: [String: Int] {
        outcomes.filter { !["renditions", "known"].contains($0.key) }
    }
}

extension String {
    fileprivate func leftPadded(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
