import NIOCore
import NIOHTTP1
import PrometheusMetrics

/// Answers `/health/live`, `/health/ready` and `/metrics` on the event loop, without tasks.
///
/// Requests of the service queue for the threads of Swift's tasks; these do not.
final class OperationsHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private struct Answer {
        var status: HTTPResponseStatus = .ok
        var type = "text/plain; charset=utf-8"
        var text: String
    }

    private let registry: PrometheusRegistry
    private let draining: Draining
    private var head: HTTPRequestHead?
    /// Ends a connection without a complete request.
    private var timer: Scheduled<Void>?

    /// Time for each request: the port is for few and near clients.
    private static let timeout = TimeAmount.seconds(10)

    init(_ registry: PrometheusRegistry, _ draining: Draining) {
        self.registry = registry
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
            return Answer(status: .methodNotAllowed, text: "use GET\n")
        }
        switch head.uri.prefix(while: { $0 != "?" }) {
        case "/health/live": return Answer(text: "live\n")
        case "/health/ready":
            return draining.hasBegun
                ? Answer(status: .serviceUnavailable, text: "draining\n") : Answer(text: "ready\n")
        case "/metrics":
            return Answer(type: "text/plain; version=0.0.4; charset=utf-8", text: registry.text)
        default: return Answer(status: .notFound, text: "not found\n")
        }
    }

    private func write(
        _ answer: Answer, to request: HTTPRequestHead, _ context: ChannelHandlerContext
    ) {
        var headers: HTTPHeaders = [
            "content-type": answer.type, "content-length": "\(answer.text.utf8.count)",
            "cache-control": "no-store", "x-content-type-options": "nosniff",
        ]
        if answer.status == .methodNotAllowed { headers.add(name: "allow", value: "GET, HEAD") }
        if !request.isKeepAlive { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .HEAD {
            context.write(
                wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.text)))), promise: nil)
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
