import Foundation

/// A trial of one node, on queues that end with its connections.
///
/// Queues of the fleet are declared again only where they exist, with equal settings, which changes
/// nothing.
package struct BrokerProbe: Sendable {
    /// Jobs that no worker has taken, and connected workers.
    package let ready: Int
    package let consumers: Int
    /// False before the first start of the fleet.
    package let hasQueues: Bool

    /// Time for a message to its queue and back.
    private static let patience = Duration.seconds(5)

    /// Connects, declares, publishes and consumes; blocks until the broker answers.
    ///
    /// - Throws: `BrokerError` of the first step that fails.
    package init(_ node: BrokerSettings.Node, _ settings: BrokerSettings) throws(BrokerError) {
        let connection = try BrokerConnection.open(to: node, settings)
        try Self.exchange(over: connection, try connection.declareReplies().name)
        connection.close()
        if let depths = try Self.depths(node, settings) {
            (ready, consumers) = depths
            hasQueues = true
        } else {
            let connection = try BrokerConnection.open(to: node, settings)
            let queue = "\(settings.prefix).doctor-\(UUID().uuidString)"
            try connection.declareTemporary(queue)
            try Self.exchange(over: connection, queue)
            connection.close()
            (ready, consumers, hasQueues) = (0, 0, false)
        }
    }

    /// Publishes a message to a queue and receives it.
    private static func exchange(
        over connection: borrowing BrokerConnection, _ queue: String
    ) throws(BrokerError) {
        try connection.enableConfirmations()
        try connection.consume(queue, prefetch: 1)
        try connection.publish(
            BrokerMessage(identifier: "doctor", body: Array("{}".utf8)), to: queue)
        let end = ContinuousClock.now + patience
        var (isConfirmed, isDelivered) = (false, false)
        while !isConfirmed || !isDelivered {
            guard ContinuousClock.now < end else {
                throw BrokerError(.late, "a message did not arrive within \(patience)")
            }
            switch try connection.nextEvent() {
            case .delivery(let delivery):
                try connection.acknowledge(delivery.tag)
                isDelivered = true
            case .confirmed: isConfirmed = true
            case .rejected: throw BrokerError(.rejected, "the broker rejects a message")
            case .returned: throw BrokerError(.unroutable, "the broker returns a message")
            case .blocked(let reason):
                throw BrokerError(.blocked, "the broker accepts no messages: \(reason)")
            case .unblocked: break
            case nil: connection.wait(for: -1, milliseconds: 50)
            }
        }
    }

    /// Messages and consumers of the job queues; nil if a queue is missing.
    private static func depths(
        _ node: BrokerSettings.Node, _ settings: BrokerSettings
    ) throws(BrokerError) -> (ready: Int, consumers: Int)? {
        let connection = try BrokerConnection.open(to: node, settings)
        var depths = (ready: 0, consumers: 0)
        for queue in JobQueue.allCases {
            do throws(BrokerError) {
                let (messages, consumers) = try connection.count(settings.name(queue))
                guard queue == .transactional || queue == .campaign else { continue }
                depths.ready += messages
                depths.consumers = max(depths.consumers, consumers)
            } catch  where error.code == .unroutable {
                // The broker has closed the channel.
                return nil
            }
        }
        try connection.declareQueues(settings)
        connection.close()
        return depths
    }
}
