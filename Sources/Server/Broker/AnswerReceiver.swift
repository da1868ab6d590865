import AttachmentContainer
package import Logging
import Synchronization

/// Receives answers in a queue of its own, which lives as long as its connection.
///
/// Answers that are under way when a connection is lost do not arrive; their senders have stored what
/// they say.
package final class AnswerReceiver: Sendable {
    private let role: AnsweringRole
    private let link: BrokerLink

    /// Connects on a thread of its own, on which `receive` is called.
    package init(
        _ settings: BrokerSettings, _ logger: Logger,
        receive: @escaping @Sendable (BrokerMessage) -> Void
    ) {
        role = AnsweringRole(receive)
        link = BrokerLink(settings, role, name: "thimble.answers", logger)
    }

    /// The queue, for jobs; waits for the end of the first attempt to connect.
    ///
    /// - Returns: nil without a connection, after the deadline, and when the task is cancelled.
    package func queue(by deadline: ContinuousClock.Instant) async -> ReplyQueue? {
        try? await role.replies.take((), until: deadline)
    }

    package func close() async {
        role.close()
        link.wake()
        await link.end()
    }
}

private final class AnsweringRole: LinkRole {
    /// Enough for answers to arrive while others are looked at.
    private static let prefetch = 200

    /// The queue of the present connection, for any number of jobs.
    enum Replies: WaitingResource {
        case unknown
        /// nil without a connection.
        case known(ReplyQueue?)

        mutating func answer(_ request: Void) -> WaitingAnswer<ReplyQueue?, Never> {
            switch self {
            case .unknown: .allWait
            case .known(let queue): .granted(queue)
            }
        }
    }

    let replies = WaitingLine(Replies.unknown)
    private let receive: @Sendable (BrokerMessage) -> Void
    private let isClosed = Atomic(false)

    init(_ receive: @escaping @Sendable (BrokerMessage) -> Void) { self.receive = receive }

    func close() {
        isClosed.store(true, ordering: .relaxed)
        replies.update { $0 = .known(nil) }
    }

    func opened(_ connection: borrowing BrokerConnection) throws(BrokerError) {
        let queue = try connection.declareReplies()
        try connection.consume(queue.name, prefetch: Self.prefetch)
        replies.update { $0 = .known(queue) }
    }

    func work(_ connection: borrowing BrokerConnection) throws(BrokerError) -> Bool {
        !isClosed.load(ordering: .relaxed)
    }

    func received(
        _ event: BrokerConnection.Event, _ connection: borrowing BrokerConnection
    ) throws(BrokerError) {
        guard case .delivery(let delivery) = event else { return }
        try connection.acknowledge(delivery.tag)
        receive(delivery.message)
    }

    func lost(_ error: BrokerError) { replies.update { $0 = .known(nil) } }
}
