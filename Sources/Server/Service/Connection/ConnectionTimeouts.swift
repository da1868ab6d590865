import NIOCore
import NIOHTTP1

/// Times after which a connection without progress is closed.
struct ConnectionTimeouts: Sendable {
    /// From the start of the connection to the end of its first head.
    let header: TimeAmount
    /// Without a byte of a body, or without room for a byte of an answer.
    let body: TimeAmount
    /// Between two requests, the second one's head included.
    let idle: TimeAmount
    /// From a request's head to its answer.
    let deadline: RequestDeadline

    /// Time for the client to read the last answer and to close the connection.
    ///
    /// Overloaded clients take seconds, and would see a reset in place of the answer.
    static let linger = TimeAmount.seconds(5)
    /// Bytes of an unwanted body that are read, so that the client finds the answer.
    static let unwantedBytes = 256 << 10
}

/// Time in which the body of a request has to arrive.
struct BodyTime {
    /// Least rate in bytes a second, apart from a pause: a slow mobile network.
    private static let minimumRate = 4096.0

    private let start = NIODeadline.now()
    private let end: NIODeadline
    private let pause: TimeAmount
    /// Bytes a second: at a lower rate, an announced length would not arrive by the deadline.
    private let rate: Double

    init(of head: HTTPRequestHead, _ timeouts: ConnectionTimeouts) {
        let seconds = timeouts.deadline.seconds(of: head)
        let length = head.headers.first(name: "content-length").flatMap(Double.init) ?? 0
        end = start + TimeAmount(seconds: seconds)
        pause = timeouts.body
        rate = max(Self.minimumRate, length / seconds)
    }

    /// The time by which the next byte has to arrive.
    func deadline(after received: Int) -> NIODeadline {
        let earned = TimeAmount(seconds: Double(received) / rate)
        return min(.now() + pause, start + pause + earned, end)
    }
}

extension TimeAmount {
    init(seconds: Double) { self = .nanoseconds(Int64(seconds * 1e9)) }
}
