import AttachmentContainer
import Foundation
import JobBroker

/// Messages that a worker publishes.
extension FleetWorker {
    /// Puts a message where operators look for it; false if the process is about to end.
    ///
    /// Of one that is too long for a job, they get the beginning.
    func keep(_ delivery: BrokerDelivery) async -> Bool {
        let message = BrokerMessage(
            identifier: delivery.message.identifier,
            body: Array(delivery.message.body.prefix(FleetJob.maximumBytes)))
        while !Task.isCancelled {
            do throws(BrokerError) {
                try await parts.messages.publish(message, to: .dead, by: .now + .seconds(60))
                return true
            } catch {
                if error.code == .closed { return false }
            }
        }
        return false
    }

    /// Puts a job at the end of its queue.
    ///
    /// The broker would count a message that is given back as an attempt, and take the job for one
    /// that loses its workers.
    func putBack(_ delivery: BrokerDelivery, _ queue: JobQueue) async -> JobConsumer.Settlement {
        // If no other job waits, it is the next one.
        try? await Deadline.sleep(for: .milliseconds(.random(in: 200...500)))
        do throws(BrokerError) {
            try await parts.messages.publish(
                delivery.message, to: queue, by: .now + .seconds(5))
            return .done
        } catch {
            return .givenBack
        }
    }

    /// Answers the sender of a job, which may be gone.
    func answer(_ job: FleetJob, _ result: FleetResult) async {
        guard let queue = job.replyTo else { return }
        let body = [UInt8]((try? JSONEncoder.fleet.encode(result)) ?? Data())
        try? await parts.messages.publish(
            BrokerMessage(identifier: job.job, body: body), to: queue, by: .now + .seconds(5))
    }
}
