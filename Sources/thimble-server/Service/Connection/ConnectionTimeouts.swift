import NIOCore

/// Times after which a connection without progress is closed.
struct ConnectionTimeouts: Sendable {
    /// From the start of the connection to the end of its first head.
    let header: TimeAmount
    /// Without a byte of a body, or without room for a byte of an answer.
    let body: TimeAmount
    /// Between two requests, the second one's head included.
    let idle: TimeAmount

    /// Least rate of a body in bytes a second, apart from the timeout: a slow mobile network.
    static let minimumRate = 4096
    /// Time for the client to read the last answer and to close the connection.
    ///
    /// Overloaded clients take seconds, and would see a reset in place of the answer.
    static let linger = TimeAmount.seconds(5)
    /// Bytes of an unwanted body that are read, so that the client finds the answer.
    static let unwantedBytes = 256 << 10
}

extension TimeAmount {
    init(seconds: Double) { self = .nanoseconds(Int64(seconds * 1e9)) }
}
