import AttachmentContainer
package import Logging

/// Publishes messages, each of which is durable on a majority of nodes when its call returns.
///
/// A message whose confirmation is lost with a connection is published again, so consumers may
/// receive it twice.
package final class JobPublisher: Sendable {
    private let settings: BrokerSettings
    private let role: PublishingRole
    private let link: BrokerLink

    /// Connects on a thread of its own.
    package init(_ settings: BrokerSettings, _ logger: Logger) {
        self.settings = settings
        let role = PublishingRole(settings)
        self.role = role
        link = BrokerLink(settings, role, name: "thimble.publisher", logger)
    }

    /// The reason for which messages are not accepted now: the broker is short of memory or disk, or
    /// has just refused one; nil otherwise.
    package var refusal: BrokerError? { role.refusal }

    /// Publishes a message to one of the queues.
    ///
    /// - Throws: `BrokerError` once the deadline has passed, with the last reason.
    package func publish(
        _ message: BrokerMessage, to queue: JobQueue, by deadline: ContinuousClock.Instant
    ) async throws(BrokerError) {
        try await publish(message, to: settings.name(queue), by: deadline)
    }

    /// Publishes an answer.
    ///
    /// - Throws: `BrokerError`, at once if its receiver is gone.
    package func publish(
        _ message: BrokerMessage, to queue: ReplyQueue, by deadline: ContinuousClock.Instant
    ) async throws(BrokerError) {
        try await publish(message, to: queue.name, by: deadline)
    }

    private func publish(
        _ message: BrokerMessage, to queue: String, by deadline: ContinuousClock.Instant
    ) async throws(BrokerError) {
        guard message.body.count <= BrokerMessage.maximumBytes else {
            throw BrokerError(
                .tooLarge, "the message is longer than \(BrokerMessage.maximumBytes) bytes")
        }
        while true {
            do throws(BrokerError) {
                return try await attempt(message, queue, deadline)
            } catch {
                let isLasting = [.unroutable, .closed, .mismatch, .denied].contains(error.code)
                guard !isLasting, ContinuousClock.now < deadline, !Task.isCancelled else {
                    throw error
                }
            }
            try? await Deadline.sleep(for: .milliseconds(.random(in: 100...300)))
        }
    }

    /// Ends the connection; messages without a confirmation fail.
    package func close() async {
        role.close()
        await link.end()
        role.lost(BrokerError(.closed, "the publisher was closed"))
    }

    private func attempt(
        _ message: BrokerMessage, _ queue: String, _ deadline: ContinuousClock.Instant
    ) async throws(BrokerError) {
        let number = role.nextNumber()
        let timer = Deadline(at: deadline) { [role] in role.giveUp(number) }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                role.add(
                    .init(
                        number: number, message: message, queue: queue,
                        continuation: continuation))
                link.wake()
            }
        } onCancel: {
            role.giveUp(number)
        }
        try result.get()
    }
}
