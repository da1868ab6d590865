import CRabbitMQ
import Foundation

/// A message of JSON.
package struct BrokerMessage: Sendable, Hashable {
    /// Longest identifier, in bytes: the limit of a short string (AMQP 0-9-1, section 4.2.5.3).
    ///
    /// librabbitmq loses the connection at a longer identifier.
    package static let maximumIdentifierBytes = 255
    /// Longest body, in bytes: `max_message_size` of RabbitMQ 4, the lowest of all releases.
    ///
    /// The broker closes the channel of a longer message.
    package static let maximumBytes = 16 << 20

    /// Maximum kept of a received body, in bytes; the rest is dropped as it arrives.
    ///
    /// A publisher can send 128 MiB at once, the default of RabbitMQ 3. No job and no answer is
    /// longer than 1 MiB.
    static let maximumReceivedBytes = 2 << 20

    /// Shown by the tools of the broker.
    package let identifier: String
    package let body: [UInt8]

    /// Creates a message; only the beginning of an identifier that is too long is kept.
    package init(identifier: String, body: [UInt8]) {
        var identifier = identifier
        while identifier.utf8.count > Self.maximumIdentifierBytes { identifier.removeLast() }
        self.identifier = identifier
        self.body = body
    }
}

/// A received message, which its consumer acknowledges.
package struct BrokerDelivery: Sendable {
    /// Number within the connection.
    let tag: UInt64
    let queue: String
    /// True if another consumer had it, or this one on a connection that was lost.
    package let isRedelivered: Bool
    package let message: BrokerMessage
}

extension String {
    init(_ bytes: amqp_bytes_t) { self.init(decoding: Array(bytes), as: UTF8.self) }

    func withAMQPBytes<Value>(_ body: (amqp_bytes_t) -> Value) -> Value {
        Array(utf8).withAMQPBytes(body)
    }
}

extension Array where Element == UInt8 {
    init(_ bytes: amqp_bytes_t) {
        self.init(
            UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.bytes == nil ? 0 : bytes.len))
    }

    func withAMQPBytes<Value>(_ body: (amqp_bytes_t) -> Value) -> Value {
        withUnsafeBytes {
            // librabbitmq does not write to the bytes of messages and names.
            body(
                amqp_bytes_t(
                    len: $0.count, bytes: UnsafeMutableRawPointer(mutating: $0.baseAddress)))
        }
    }
}

extension amqp_method_t {
    /// The fields of a method, whose type its number tells.
    func `as`<Fields>(_: Fields.Type) -> Fields {
        // librabbitmq allocates the fields of the method with that number.
        decoded.assumingMemoryBound(to: Fields.self).pointee
    }
}

extension timeval {
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_usec: suseconds_t(attoseconds / 1_000_000_000_000))
    }
}
