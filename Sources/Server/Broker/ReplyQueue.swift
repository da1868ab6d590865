/// A queue for answers, which lives as long as the connection of its owner.
///
/// The broker chose its name: no client can declare a queue whose name begins with `amq.` (AMQP 0-9-1,
/// `queue.declare`, rule "reserved"), so that no other queue has one of this form.
package struct ReplyQueue: Sendable, Hashable {
    package let name: String

    /// Nil for a name that the broker does not give; RabbitMQ's is `amq.gen-` and 22 characters.
    package init?(_ name: String) {
        let prefix = "amq.gen-"
        let digits = name.utf8.dropFirst(prefix.utf8.count)
        let isSafe = digits.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || $0 == 0x2D || $0 == 0x5F
        }
        guard name.hasPrefix(prefix), isSafe, 1...64 ~= digits.count else { return nil }
        self.name = name
    }
}

extension ReplyQueue: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let queue = ReplyQueue(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a queue for answers")
        }
        self = queue
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
