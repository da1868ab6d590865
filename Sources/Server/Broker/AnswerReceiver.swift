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

    /// The name of the queue, for jobs; nil without a connection.
    package var queue: ReplyQueue? { role.queue }

    package func close() async {
        role.close()
        link.wake()
        await link.end()
    }
}

private final class AnsweringRole: LinkRole {
    /// Enough for answers to arrive while others are looked at.
    private static let prefetch = 200

    private struct State {
        var queue: ReplyQueue?
        var isClosed = false
    }

    private let receive: @Sendable (BrokerMessage) -> Void
    private let state = Mutex(State())

    init(_ receive: @escaping @Sendable (BrokerMessage) -> Void) { self.receive = receive }

    var queue: ReplyQueue? { state.withLock { $0.queue } }

    func close() { state.withLock { $0.isClosed = true } }

    func opened(_ connection: borrowing BrokerConnection) throws(BrokerError) {
        let queue = try connection.declareReplies()
        try connection.consume(queue.name, prefetch: Self.prefetch)
        state.withLock { $0.queue = queue }
    }

    func work(_ connection: borrowing BrokerConnection) throws(BrokerError) -> Bool {
        !state.withLock { $0.isClosed }
    }

    func received(
        _ event: BrokerConnection.Event, _ connection: borrowing BrokerConnection
    ) throws(BrokerError) {
        guard case .delivery(let delivery) = event else { return }
        try connection.acknowledge(delivery.tag)
        receive(delivery.message)
    }

    func lost(_ error: BrokerError) { state.withLock { $0.queue = nil } }
}
