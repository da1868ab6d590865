import NIOCore
import NIOHTTP1

/// Answers `/health/live`, `/health/ready` and `/metrics` on the event loop, without tasks.
///
/// Requests of the service queue for the threads of Swift's tasks; these do not.
final class OperationsHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private struct Answer {
        var status = HTTPResponseStatus.ok
        var type = "text/plain; charset=utf-8"
        let body: ByteBuffer

        init(_ text: String, _ status: HTTPResponseStatus = .ok) {
            self.status = status
            body = ByteBuffer(string: text)
        }

        init(metrics: ByteBuffer) {
            type = "text/plain; version=0.0.4; charset=utf-8"
            body = metrics
        }
    }

    private let metrics: MetricsPage
    private let draining: Draining
    private var head: HTTPRequestHead?
    /// Ends a connection without a complete request.
    private var timer: Scheduled<Void>?

    /// Body of the answer while the process runs.
    static let live = "live\n"

    /// Time for each request: the port is for few and near clients.
    private static let timeout = TimeAmount.seconds(10)

    init(_ metrics: MetricsPage, _ draining: Draining) {
        self.metrics = metrics
        self.draining = draining
    }

    func handlerAdded(context: ChannelHandlerContext) { restartTimer(context) }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            self.head = nil
            write(answer(to: head), to: head, context)
            restartTimer(context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(to head: HTTPRequestHead) -> Answer {
        guard [.GET, .HEAD].contains(head.method) else {
            return Answer("use GET\n", .methodNotAllowed)
        }
        switch head.uri.prefix(while: { $0 != "?" }) {
        case "/health/live": return Answer(Self.live)
        case "/health/ready":
            return draining.hasBegun
                ? Answer("draining\n", .serviceUnavailable) : Answer("ready\n")
        case "/metrics": return Answer(metrics: metrics.text)
        default: return Answer("not found\n", .notFound)
        }
    }

    private func write(
        _ answer: Answer, to request: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        var headers: HTTPHeaders = [
            "content-type": answer.type, "content-length": "\(answer.body.readableBytes)",
            "cache-control": "no-store", "x-content-type-options": "nosniff",
        ]
        if answer.status == .methodNotAllowed { headers.add(name: "allow", value: "GET, HEAD") }
        if !request.isKeepAlive { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .HEAD {
            context.write(
                wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil)
        }
        let isSent = context.eventLoop.makePromise(of: Void.self)
        if !request.isKeepAlive {
            let channel = context.channel
            isSent.futureResult.whenComplete { _ in channel.close(promise: nil) }
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: isSent)
    }

    private func restartTimer(_ context: ChannelHandlerContext) {
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.timeout) {
            context.close(promise: nil)
        }
    }
}

@available(*, unavailable)
extension OperationsHandler: Sendable {}
