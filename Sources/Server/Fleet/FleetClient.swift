package import AttachmentContainer
package import AttachmentModel
package import AttachmentStore
import Foundation
package import JobBroker
package import Logging

/// Has attachments processed by a fleet, and waits for the results.
///
/// Answers come by a queue of its own. One that is lost with a connection is found in the store.
package final class FleetClient: Sendable {
    /// A failure on the way to a result.
    package enum Failure: Error, Sendable {
        case broker(BrokerError)
        case store(StoreError)
        /// The schema of jobs refuses the settings.
        case invalid(FleetJob.Invalid)
        /// No result by the deadline.
        case late
        case cancelled
    }

    /// Time between two looks into the store for a result.
    private static let interval = Duration.seconds(1)

    private let files: ObjectFiles
    private let messages: JobPublisher
    private let queue: JobQueue
    private let waits: ResultWaits
    private let answers: AnswerReceiver

    /// Connects to the broker; the caller closes `files` afterwards.
    package init(
        files: ObjectFiles, queue: JobQueue = .transactional, _ broker: BrokerSettings,
        _ logger: Logger
    ) {
        self.files = files
        self.queue = queue
        messages = JobPublisher(broker, logger)
        let waits = ResultWaits()
        self.waits = waits
        answers = AnswerReceiver(broker, logger) { message in
            // Others can send answers too: those that nobody waits for are not decoded.
            guard waits.contains(message.identifier), let result = FleetResult(message) else {
                return
            }
            waits.answer(result)
        }
    }

    /// The reason for which no jobs are accepted now; nil otherwise.
    package var refusal: BrokerError? { messages.refusal }

    /// Uploads an attachment unless it is there, has it processed, and returns the result.
    ///
    /// - Throws: `Failure`, by the deadline at the latest.
    package func process(
        _ file: AttachmentFile, _ digest: ContentDigest, settings: FleetSettings, below: Rung?,
        by deadline: ContinuousClock.Instant
    ) async throws(Failure) -> FleetResult {
        let seconds = ContinuousClock.now.duration(to: deadline) / .seconds(1)
        let job = FleetJob.shared(
            digest, settings: settings, below: below, notAfter: Date(timeIntervalSinceNow: seconds))
        do throws(StoreError) {
            if let known = try await files.result(of: job, within: time(to: deadline)) {
                return known
            }
            let key = FleetJob.key(ofSource: digest)
            let bytes = file.length.bytes
            if try await !files.holds(key, bytes: bytes, within: time(to: deadline)) {
                try await files.store(
                    OwnedDescriptor(fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)), bytes: bytes,
                    digest: digest, as: key, contentType: "application/octet-stream",
                    within: time(to: deadline))
            }
        } catch {
            throw .store(error)
        }
        return try await result(of: job, by: deadline)
    }

    /// The file of a rendition that a result names; nil if the store has lost it.
    ///
    /// - Throws: `Failure` for a longer one, too.
    package func file(
        of rendition: Manifest.Rendition, by deadline: ContinuousClock.Instant
    ) async throws(Failure) -> OwnedDescriptor? {
        do throws(StoreError) {
            return try await files.file(
                rendition.file, limit: rendition.bytes.bytes, within: time(to: deadline))
        } catch {
            throw .store(error)
        }
    }

    /// Ends the connections; results in progress fail.
    package func close() async {
        waits.end()
        await messages.close()
        await answers.close()
    }

    private func result(
        of job: FleetJob, by deadline: ContinuousClock.Instant
    ) async throws(Failure) -> FleetResult {
        var job = job
        // Without a queue, the result is found by a look into the store.
        job.replyTo = await answers.queue(by: deadline)
        let message: BrokerMessage
        do throws(FleetJob.Invalid) {
            message = try job.message()
        } catch {
            throw .invalid(error)
        }
        let number = waits.begin(job)
        defer { waits.remove(number) }
        do throws(BrokerError) {
            try await messages.publish(message, to: queue, by: deadline)
        } catch {
            throw Task.isCancelled ? .cancelled : .broker(error)
        }
        while true {
            let look = min(deadline, .now + Self.interval)
            if let result = await waits.result(number, until: look) { return result }
            guard !Task.isCancelled, !waits.areEnded else { throw .cancelled }
            guard ContinuousClock.now < deadline else { throw .late }
            // The store may be out of reach for a moment; the answer may still come.
            if let found = try? await files.result(of: job, within: time(to: deadline)) {
                return found
            }
        }
    }

    private func time(to deadline: ContinuousClock.Instant) -> Duration {
        max(.milliseconds(1), ContinuousClock.now.duration(to: deadline))
    }
}
