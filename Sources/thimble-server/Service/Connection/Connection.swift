import NIOCore
import NIOHTTP1

/// Link between a connection's event loop and the tasks of its requests.
final class Connection: Sendable {
    /// The connection of the running request.
    @TaskLocal static var current: Connection?

    /// Work that ends with the connection.
    let work = CancellationList()
    private let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    /// True once the client is gone, or the rest of its request is not read.
    static var isGone: Bool { current?.work.isOver ?? false }

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
