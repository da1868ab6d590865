import NIOCore
import NIOHTTP1
import Synchronization

/// Link between a connection's event loop and the tasks of its requests.
final class Connection: Sendable {
    /// The connection of the running request.
    @TaskLocal static var current: Connection?

    /// Work that ends with the connection.
    let work = CancellationList()
    private let place = Mutex<RequestGate.Place?>(nil)
    private let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    /// True once the client is gone, or the rest of its request is not read.
    static var isGone: Bool { current?.work.isOver ?? false }

    /// Keeps the place of a reading request until its answer is complete.
    func setReading(_ reading: RequestGate.Place) { place.withLock { $0 = reading } }

    func takeReading() -> RequestGate.Place? {
        place.withLock { place in
            defer { place = nil }
            return place
        }
    }

    /// Asks a client that waits with `Expect: 100-continue` for the body.
    func requestBody() {
        channel.eventLoop.execute { [channel] in
            let context = try? channel.pipeline.syncOperations.context(
                handlerType: ConnectionHandler.self)
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            context?.writeAndFlush(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
        }
    }
}
