import Foundation

/// A look at the queues, for operators; every call blocks until the broker answers.
///
/// Messages that were taken go back to their queue when it is closed, unless they were removed.
package struct QueueInspection: ~Copyable {
    /// A message that was taken.
    package struct Taken: Sendable {
        fileprivate let tag: UInt64
        package let message: BrokerMessage
    }

    /// A queue's figures.
    package struct Depth: Sendable, Codable {
        package let queue: JobQueue
        /// Messages that no worker has taken.
        package let ready: Int
        /// Connected workers.
        package let consumers: Int
    }

    private let connection: BrokerConnection
    private let settings: BrokerSettings

    private init(_ connection: consuming BrokerConnection, _ settings: BrokerSettings) {
        self.connection = connection
        self.settings = settings
    }

    /// Connects to the first node that answers.
    package static func open(
        _ settings: BrokerSettings
    ) throws(BrokerError) -> QueueInspection {
        let connection = try connect(settings)
        try connection.declareQueues(settings)
        return QueueInspection(connection, settings)
    }

    private static func connect(
        _ settings: BrokerSettings
    ) throws(BrokerError) -> BrokerConnection {
        var failure = BrokerError(.unreachable, "no node is named")
        for node in settings.nodes {
            do throws(BrokerError) {
                return try BrokerConnection.open(to: node, settings)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    package func depths() throws(BrokerError) -> [Depth] {
        var depths: [Depth] = []
        for queue in JobQueue.allCases {
            let (messages, consumers) = try connection.count(settings.name(queue))
            depths.append(Depth(queue: queue, ready: messages, consumers: consumers))
        }
        return depths
    }

    /// Asks all workers for their state; returns what arrives within a time.
    package func states(within limit: Duration) throws(BrokerError) -> [[UInt8]] {
        let queue = try connection.declareReplies()
        try connection.consume(queue.name, prefetch: 1_000)
        try connection.declareExchange(settings.workers)
        try connection.publish(
            BrokerMessage(identifier: queue.name, body: []), toAllOf: settings.workers)
        let end = ContinuousClock.now + limit
        var states: [[UInt8]] = []
        while ContinuousClock.now < end {
            guard let event = try connection.nextEvent() else {
                connection.wait(for: -1, milliseconds: 50)
                continue
            }
            guard case .delivery(let delivery) = event else { continue }
            try connection.acknowledge(delivery.tag)
            states.append(delivery.message.body)
        }
        return states
    }

    /// Takes a message; nil from an empty queue.
    package func take(from queue: JobQueue) throws(BrokerError) -> Taken? {
        try connection.get(settings.name(queue)).map { Taken(tag: $0.tag, message: $0.message) }
    }

    /// Removes a message that was taken.
    package func remove(_ taken: Taken) throws(BrokerError) {
        try connection.acknowledge(taken.tag)
    }

    /// Ends the connection; all other messages go back.
    package consuming func close() { connection.close() }
}
