package import Logging
import Synchronization

/// Tells the state of a worker to operators who ask all workers of the fleet.
package final class WorkerPresence: Sendable {
    private let role: PresenceRole
    private let link: BrokerLink

    /// Connects on a thread of its own, on which `state` is asked for.
    package init(
        _ settings: BrokerSettings, _ logger: Logger, state: @escaping @Sendable () -> [UInt8]
    ) {
        role = PresenceRole(settings.workers, state)
        link = BrokerLink(settings, role, name: "thimble.presence", logger)
    }

    package func close() async {
        role.close()
        link.wake()
        await link.end()
    }
}

private final class PresenceRole: LinkRole {
    private let exchange: String
    private let state: @Sendable () -> [UInt8]
    private let isClosed = Atomic(false)

    init(_ exchange: String, _ state: @escaping @Sendable () -> [UInt8]) {
        self.exchange = exchange
        self.state = state
    }

    func close() { isClosed.store(true, ordering: .relaxed) }

    func opened(_ connection: borrowing BrokerConnection) throws(BrokerError) {
        try connection.consume(try connection.join(exchange).name, prefetch: 10)
    }

    func work(_ connection: borrowing BrokerConnection) throws(BrokerError) -> Bool {
        !isClosed.load(ordering: .relaxed)
    }

    func received(
        _ event: BrokerConnection.Event, _ connection: borrowing BrokerConnection
    ) throws(BrokerError) {
        guard case .delivery(let delivery) = event else { return }
        try connection.acknowledge(delivery.tag)
        // The question's identifier names the queue for the answer, whose owner may be gone.
        guard let queue = ReplyQueue(delivery.message.identifier) else { return }
        try connection.publish(
            BrokerMessage(identifier: "state", body: state()), to: queue.name)
    }

    func lost(_ error: BrokerError) {}
}
