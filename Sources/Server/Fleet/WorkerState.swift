import Foundation

/// A worker's report about itself, for operators.
package struct WorkerState: Codable, Sendable {
    /// Host and process.
    package let worker: String
    /// Jobs in work.
    package let running: Int
    /// Jobs that are worked on at once.
    package let limit: Int
    /// Seconds that the job received last had waited.
    package let wait: Double
    /// Finished jobs, by `renditions`, `known` or the code of the failure.
    package let outcomes: [String: Int]

    package init(
        worker: String, running: Int, limit: Int, wait: Double, outcomes: [String: Int]
    ) {
        self.worker = worker
        self.running = running
        self.limit = limit
        self.wait = wait
        self.outcomes = outcomes
    }

    package var message: [UInt8] { [UInt8]((try? JSONEncoder.fleet.encode(self)) ?? Data()) }

    /// Nil for a message that is no state.
    package init?(reading message: [UInt8]) {
        guard let state = try? JSONDecoder.fleet.decode(Self.self, from: Data(message)) else {
            return nil
        }
        self = state
    }
}
