import CRabbitMQ
import Foundation

/// Queues and exchanges of a connection's channel.
extension BrokerConnection {
    /// Declares the queues; equal ones may exist.
    func declareQueues(_ settings: BrokerSettings) throws(BrokerError) {
        settings.declaring.lock()
        defer { settings.declaring.unlock() }
        for queue in JobQueue.allCases.reversed() {
            let isJobs = queue == .transactional || queue == .campaign
            thimble_amqp_declare_quorum(
                state, Self.channel, settings.name(queue),
                isJobs ? settings.name(.lost) : nil, Int64(settings.deliveryLimit),
                isJobs ? Int64(settings.maximumLength) : 0)
            try check(.mismatch)
        }
    }

    /// Creates a queue for answers, which lives as long as the connection.
    func declareReplies() throws(BrokerError) -> ReplyQueue {
        let answer = amqp_queue_declare(
            state, Self.channel, amqp_empty_bytes, 0, 0, 1, 1, amqp_empty_table)
        try check(.unreachable)
        guard let queue = answer.flatMap({ ReplyQueue(String($0.pointee.queue)) }) else {
            throw BrokerError(.unreachable, "the broker named no queue as RabbitMQ does")
        }
        return queue
    }

    /// Creates a queue with a name, which lives as long as the connection.
    func declareTemporary(_ name: String) throws(BrokerError) {
        _ = name.withAMQPBytes {
            amqp_queue_declare(state, Self.channel, $0, 0, 0, 1, 1, amqp_empty_table)
        }
        try check(.mismatch)
    }

    /// Joins those who get each message that is published to all of an exchange, by a queue of its own.
    func join(_ exchange: String) throws(BrokerError) -> ReplyQueue {
        try declareExchange(exchange)
        let queue = try declareReplies()
        _ = queue.name.withAMQPBytes { queue in
            exchange.withAMQPBytes {
                amqp_queue_bind(
                    state, Self.channel, queue, $0, amqp_empty_bytes, amqp_empty_table)
            }
        }
        try check(.unreachable)
        return queue
    }

    /// Creates the exchange whose messages go to all who joined it; an equal one may exist.
    func declareExchange(_ exchange: String) throws(BrokerError) {
        _ = exchange.withAMQPBytes { exchange in
            "fanout".withAMQPBytes {
                amqp_exchange_declare(
                    state, Self.channel, exchange, $0, 0, 1, 0, 0, amqp_empty_table)
            }
        }
        try check(.mismatch)
    }

    /// Numbers of messages and of consumers.
    func count(_ queue: String) throws(BrokerError) -> (messages: Int, consumers: Int) {
        let answer = queue.withAMQPBytes {
            amqp_queue_declare(state, Self.channel, $0, 1, 0, 0, 0, amqp_empty_table)
        }
        try check(.unroutable)
        guard let answer else { throw BrokerError(.unroutable, "the queue does not exist") }
        return (Int(answer.pointee.message_count), Int(answer.pointee.consumer_count))
    }
}
