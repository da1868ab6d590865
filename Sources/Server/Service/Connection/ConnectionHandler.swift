import CoreMetrics
import NIOCore
import NIOHTTP1
import PrometheusMetrics

/// Guards one connection: deadlines against slow clients, answers over the limit of connections,
/// answers to malformed requests, and the end of a connection whose client is gone.
///
/// A ``RequestPipeline`` gives it one request at a time, as whole parts of messages. A head that arrives
/// byte by byte counts as idle time.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: Connection
    private let requests: RequestPipeline
    private let timeouts: ConnectionTimeouts
    private let metrics: ServiceMetrics
    private let isExcess: Bool
    /// The problem of a request that is not begun, because its queue is full.
    private let overload: @Sendable (HTTPRequestHead) -> Problem?

    /// True while the answer to a request is not complete.
    private var isOpen = false
    private var isReadingBody = false
    private var isAnswering = false
    /// True after the last request that this connection serves.
    private var closesAfterAnswer = false {
        didSet { if closesAfterAnswer { requests.endAfterCurrentRequest() } }
    }
    /// True once the answer to an incomplete request is complete.
    private var isDiscarding = false
    /// True once this handler has answered in place of the service.
    private var isRefused = false
    private var received = 0
    private var bodyTime: BodyTime?
    /// Nil for streams of payloads, which have their own timeouts.
    private var bodyDeadline: NIODeadline? { didSet { updateTimer() } }
    private var writeDeadline: NIODeadline? { didSet { updateTimer() } }
    private var timer: (task: Scheduled<Void>, at: NIODeadline)?
    private var context: ChannelHandlerContext?

    init(
        _ connection: Connection, _ requests: RequestPipeline, _ timeouts: ConnectionTimeouts,
        _ metrics: ServiceMetrics, isExcess: Bool,
        overload: @escaping @Sendable (HTTPRequestHead) -> Problem?
    ) {
        self.connection = connection
        self.requests = requests
        self.timeouts = timeouts
        self.metrics = metrics
        self.isExcess = isExcess
        self.overload = overload
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        bodyDeadline = .now() + timeouts.header
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.task.cancel()
        timer = nil
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.work.cancelAll()
        connection.setStalled(false)
        connection.takePlace()?.leave()
        timer?.task.cancel()
        timer = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(var head):
            isOpen = true
            isReadingBody = true
            received = 0
            if !head.isKeepAlive {
                // The request's version is not visible to the handlers of requests.
                head.headers.replaceOrAdd(name: "connection", value: "close")
                closesAfterAnswer = true
            }
            bodyTime = isStream(head) ? nil : BodyTime(of: head, timeouts)
            bodyDeadline = bodyTime?.deadline(after: 0)
            if isExcess { return refuse(.tooManyConnections, of: head, context) }
            guard head.hasOneHost else { return refuse(.malformed, of: head, context) }
            if let problem = overload(head) { return refuse(problem, of: head, context) }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body(let bytes):
            received += bytes.readableBytes
            metrics.receivedBytes.increment(by: bytes.readableBytes)
            guard !isDiscarding else {
                if received > ConnectionTimeouts.unwantedBytes { context.close(promise: nil) }
                return
            }
            if let bodyTime { bodyDeadline = bodyTime.deadline(after: received) }
            context.fireChannelRead(data)
        case .end:
            isReadingBody = false
            if isDiscarding {
                isDiscarding = false
                bodyDeadline =
                    .now() + (closesAfterAnswer ? ConnectionTimeouts.linger : timeouts.idle)
            } else {
                bodyDeadline = nil
            }
            if !isRefused { context.fireChannelRead(data) }
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isRefused else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.code >= 200:
            isAnswering = true
            if head.headers[canonicalForm: "connection"].contains("close") {
                closesAfterAnswer = true
            }
        case .head: break
        case .body(let body): metrics.sentBytes.increment(by: body.readableBytes)
        case .end:
            let promise = promise ?? context.eventLoop.makePromise()
            if let place = connection.takePlace() {
                promise.futureResult.whenComplete { _ in place.leave() }
            }
            context.write(data, promise: promise)
            return finishAnswer(context)
        }
        context.write(data, promise: promise)
    }

    private func finishAnswer(_ context: ChannelHandlerContext) {
        isAnswering = false
        isOpen = false
        if isReadingBody {
            isDiscarding = true
            bodyDeadline =
                .now() + (closesAfterAnswer ? ConnectionTimeouts.linger : timeouts.body)
        } else {
            bodyDeadline = .now() + (closesAfterAnswer ? ConnectionTimeouts.linger : timeouts.idle)
        }
        guard closesAfterAnswer else { return }
        context.flush()
        // Only the output: closing both would reset the connection if bytes of the body are under
        // way, and the client might lose the answer.
        context.close(mode: .output, promise: nil)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        writeDeadline = isWritable ? nil : .now() + timeouts.body
        connection.setStalled(!isWritable)
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            connection.work.cancelAll()
            if !isOpen || closesAfterAnswer { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else {
            return context.fireErrorCaught(error)
        }
        guard !isOpen, !closesAfterAnswer else {
            connection.work.cancelAll()
            if !isAnswering, !closesAfterAnswer { return refuse(.malformed, context) }
            return context.close(promise: nil)
        }
        isOpen = true
        refuse(error == .headerOverflow ? .headTooLarge : .malformed, context)
    }

    /// Answers in place of the service, before its tasks cost memory, and ends the connection.
    ///
    /// The head is nil if it is malformed.
    private func refuse(
        _ problem: Problem, of request: HTTPRequestHead? = nil, _ context: ChannelHandlerContext
    ) {
        closesAfterAnswer = true
        isRefused = true
        metrics.requests.increment("none", request?.method.rawValue ?? "other", "\(problem.status)")
        let id = ServiceContext.requestID(given: request?.headers.first(name: "x-request-id"))
        answer(problem, requestID: id, isHead: request?.method == .HEAD, context)
    }

    private func answer(
        _ problem: Problem, requestID: String, isHead: Bool, _ context: ChannelHandlerContext
    ) {
        metrics.refusals.increment(problem.label)
        var headers = HTTPHeaders(problem.fields.map { ($0.0, $0.1) })
        let body = problem.json(requestID: requestID)
        headers.add(name: "content-length", value: "\(body.count)")
        headers.add(name: "x-request-id", value: requestID)
        headers.replaceOrAdd(name: "connection", value: "close")
        let head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: problem.status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !isHead {
            context.write(
                wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        finishAnswer(context)
    }

    private func isStream(_ head: HTTPRequestHead) -> Bool {
        head.headers.first(name: "content-type")?.lowercased().hasPrefix("application/x-ndjson")
            ?? false
    }

    /// One timer for all deadlines, which is set again only if it fires too early or too late.
    private func updateTimer() {
        guard let context else { return }
        guard let next = [bodyDeadline, writeDeadline].compactMap(\.self).min() else { return }
        if let timer {
            guard next < timer.at else { return }
            timer.task.cancel()
        }
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) {
            self.timer = nil
            self.timerFired()
        }
        timer = (task, next)
    }

    private func timerFired() {
        guard let context else { return }
        let due = [bodyDeadline, writeDeadline].compactMap(\.self).min()
        guard let due, due <= .now() else { return updateTimer() }
        if isOpen, isReadingBody, !isAnswering, !isDiscarding, !isRefused {
            connection.work.cancelAll()
            refuse(.bodyTimeout, context)
        } else {
            context.close(promise: nil)
        }
    }
}

extension HTTPRequestHead {
    /// True for exactly one `Host`, which only HTTP/1.0 may omit (RFC 9112, section 3.2).
    fileprivate var hasOneHost: Bool {
        let count = headers[canonicalForm: "host"].count
        return count == 1 || (count == 0 && version == .http1_0)
    }
}

@available(*, unavailable)
extension ConnectionHandler: Sendable {}
