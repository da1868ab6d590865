import ArgumentParser
import AttachmentService
import Foundation
import JobBroker
import ServiceOptions

/// `thimble-server status`: the queues of a fleet.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print depth, workers and rate of each queue of the fleet.",
        discussion: """
            The rate is that of the queue's change during --interval: negative while workers take \
            more than is submitted. Running jobs, failures by code and ages are metrics of each \
            worker, on its --operations-port.

            EXAMPLES
              thimble-server status
              thimble-server status --interval 10 --json
            """)

    @Option(help: ArgumentHelp("Time between two looks.", valueName: "seconds"))
    var interval = 2.0

    @Flag(help: "Print JSON.") var json = false

    @OptionGroup var flags: ServiceFlags

    private struct Line: Encodable {
        let queue: JobQueue
        let ready: Int
        let consumers: Int
        /// Jobs a second.
        let rate: Double
    }

    func validate() throws {
        guard 0.1...3600 ~= interval else {
            throw ValidationError("--interval must be from 0.1 to 3600 seconds")
        }
    }

    func run() async throws {
        let configuration = try await Serve.prepare(flags, needsContainer: false)
        let lines: [Line]
        do {
            let queues = try QueueInspection.open(try configuration.brokerSettings())
            let first = try queues.depths()
            try await Task.sleep(for: .seconds(interval))
            lines = zip(first, try queues.depths()).map { first, last in
                Line(
                    queue: last.queue, ready: last.ready, consumers: last.consumers,
                    rate: Double(last.ready - first.ready) / interval)
            }
            queues.close()
        } catch let error as BrokerError {
            Serve.complain("\(error)")
            throw ExitCode.unusable
        }
        guard !json else {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            print(String(decoding: try encoder.encode(lines), as: UTF8.self))
            return
        }
        print("queue          ready  workers  change a second")
        for line in lines {
            let columns = [
                line.queue.rawValue.padding(toLength: 13, withPad: " ", startingAt: 0),
                "\(line.ready)".leftPadded(6), "\(line.consumers)".leftPadded(7),
                "\(Int(line.rate.rounded()))".leftPadded(15),
            ]
            print(columns.joined(separator: "  "))
        }
    }
}

extension String {
    fileprivate func leftPadded(_ width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
