import Foundation

/// Nodes of a broker, and the queues on it.
package struct BrokerSettings: Sendable {
    /// A node, from a URL such as `amqp://user:password@host:5672/vhost`.
    package struct Node: Sendable, Hashable {
        package let host: String
        package let port: Int
        package let user: String
        package let password: String
        package let virtualHost: String
        package let isEncrypted: Bool

        /// Reads a URL; nil for an invalid one.
        ///
        /// The defaults are the broker's: `guest`, port 5672 or 5671, virtual host `/`.
        package init?(_ text: String) {
            guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
                parts.scheme == "amqp" || parts.scheme == "amqps"
            else { return nil }
            self.host = host
            isEncrypted = parts.scheme == "amqps"
            port = parts.port ?? (isEncrypted ? 5671 : 5672)
            user = parts.user ?? "guest"
            password = parts.password ?? "guest"
            let path = parts.path.dropFirst()
            virtualHost = path.isEmpty ? "/" : path.removingPercentEncoding ?? String(path)
        }

        /// Host and port.
        package var place: String { "\(host):\(port)" }
    }

    /// The nodes, tried in turn.
    package var nodes: [Node]
    /// Beginning of the names of all queues.
    package var prefix = "thimble"
    /// Maximum number of jobs in a queue; more are rejected.
    package var maximumLength = 1_000_000
    /// Number of lost consumers after which a job counts as lost.
    package var deliveryLimit = 3
    /// File of certificate authorities for `amqps`; nil for the system's.
    package var authorities: String?

    /// Keeps connections of this process from declaring the same queue at once, which RabbitMQ 3.10
    /// answers with an internal error.
    let declaring = NSLock()
    /// Losses of the connections made with these settings.
    let outages = OutageLog()

    /// Seconds between heartbeats; a connection without any for twice as long is lost.
    static let heartbeat = 10
    /// Time for connection and login.
    static let handshake = Duration.seconds(12)
    /// Time for one request to the broker.
    static let request = Duration.seconds(20)

    package init(nodes: [Node]) { self.nodes = nodes }

    /// The name of the exchange that asks all workers for their state.
    var workers: String { "\(prefix).workers" }

    /// The name of a queue.
    package func name(_ queue: JobQueue) -> String { "\(prefix).\(queue.rawValue)" }
}

/// The queues of a fleet.
package enum JobQueue: String, Sendable, Codable, CaseIterable {
    /// Jobs that somebody waits for.
    case transactional
    /// Jobs that may wait for transactional ones.
    case campaign
    /// Jobs whose consumers were lost too often; each is tried once more, alone.
    case lost
    /// Jobs that are not tried again, for operators.
    case dead
}
