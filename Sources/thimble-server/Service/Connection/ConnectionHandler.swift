import CoreMetrics
import NIOCore
import NIOHTTP1
import PrometheusMetrics

/// Guards one connection: deadlines against slow clients, answers over the limit of connections,
/// answers to malformed requests, and the end of a connection whose client is gone.
///
/// It sees whole parts of messages. A head that arrives byte by byte counts as idle time.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: Connection
    private let headLimit: HeadLimit
    private let timeouts: ConnectionTimeouts
    private let metrics: ServiceMetrics
    private let isExcess: Bool
    /// The problem of a request that is not begun, because its queue is full.
    private let overload: @Sendable (HTTPRequestHead) -> Problem?

    /// Requests whose answers are not complete.
    private var open = 0
    private var isReadingBody = false
    /// True for a request that was answered here, and that the service does not see.
    private var isShed = false
    private var isAnswering = false
    /// True after the last request that this connection serves.
    private var closesAfterAnswer = false
    /// True once the answer to an incomplete request is complete.
    private var isDiscarding = false
    /// True once this handler has answered in place of the service.
    private var isRefused = false
    private var received = 0
    private var bodyStart = NIODeadline.now()
    /// Nil for streams of payloads, which have their own timeouts.
    private var bodyDeadline: NIODeadline? { didSet { updateTimer() } }
    private var writeDeadline: NIODeadline? { didSet { updateTimer() } }
    private var timer: (task: Scheduled<Void>, at: NIODeadline)?
    private var context: ChannelHandlerContext?

    init(
        _ connection: Connection, _ headLimit: HeadLimit, _ timeouts: ConnectionTimeouts,
        _ metrics: ServiceMetrics, isExcess: Bool,
        overload: @escaping @Sendable (HTTPRequestHead) -> Problem?
    ) {
        self.connection = connection
        self.headLimit = headLimit
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
        connection.takeReading()?.leave()
        timer?.task.cancel()
        timer = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        headLimit.reset()
        switch unwrapInboundIn(data) {
        case .head(var head):
            guard !closesAfterAnswer else { return }
            open += 1
            isReadingBody = true
            received = 0
            bodyStart = .now()
            bodyDeadline = isStream(head) ? nil : bodyStart + timeouts.body
            if isExcess { return refuse(.tooManyConnections, context) }
            // Answers of earlier requests come first.
            isShed = false
            if open == 1, let problem = overload(head) { return shed(head, problem, context) }
            if !head.isKeepAlive {
                // The request's version is not visible to the handlers of requests.
                head.headers.replaceOrAdd(name: "connection", value: "close")
                closesAfterAnswer = true
            }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body(let bytes):
            received += bytes.readableBytes
            metrics.receivedBytes.increment(by: bytes.readableBytes)
            guard !isDiscarding else {
                if received > ConnectionTimeouts.unwantedBytes { context.close(promise: nil) }
                return
            }
            if bodyDeadline != nil {
                let earned = TimeAmount.seconds(
                    Int64(received / ConnectionTimeouts.minimumRate))
                bodyDeadline = min(.now() + timeouts.body, bodyStart + timeouts.body + earned)
            }
            context.fireChannelRead(data)
        case .end:
            guard isReadingBody else { return }
            isReadingBody = false
            if isDiscarding {
                isDiscarding = false
                bodyDeadline =
                    .now() + (closesAfterAnswer ? ConnectionTimeouts.linger : timeouts.idle)
            } else {
                bodyDeadline = nil
            }
            if !isShed { context.fireChannelRead(data) }
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
            if let place = connection.takeReading() {
                promise.futureResult.whenComplete { _ in place.leave() }
            }
            context.write(data, promise: promise)
            return finishAnswer(context)
        }
        context.write(data, promise: promise)
    }

    private func finishAnswer(_ context: ChannelHandlerContext) {
        isAnswering = false
        open = max(0, open - 1)
        guard open == 0 else { return }
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
        writeDeadline = context.channel.isWritable ? nil : .now() + timeouts.body
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            connection.work.cancelAll()
            if open == 0 || closesAfterAnswer { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError else {
            return context.fireErrorCaught(error)
        }
        guard open == 0, !closesAfterAnswer else {
            connection.work.cancelAll()
            if !isAnswering, !closesAfterAnswer { return refuse(.malformed, context) }
            return context.close(promise: nil)
        }
        open += 1
        refuse(error == .headerOverflow ? .headTooLarge : .malformed, context)
    }

    /// Answers in place of the service, and ends the connection.
    private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
        closesAfterAnswer = true
        isRefused = true
        metrics.requests.increment("none", "other", "\(problem.status)")
        answer(problem, requestID: ServiceContext.newRequestID(), context)
    }

    /// Answers in place of the service, before its tasks cost memory; the connection stays.
    private func shed(
        _ request: HTTPRequestHead, _ problem: Problem, _ context: ChannelHandlerContext
    ) {
        isShed = true
        closesAfterAnswer = !request.isKeepAlive
        metrics.requests.increment("none", request.method.rawValue, "\(problem.status)")
        let id = ServiceContext.requestID(given: request.headers.first(name: "x-request-id"))
        answer(problem, requestID: id, context)
        context.flush()
    }

    private func answer(
        _ problem: Problem, requestID: String, _ context: ChannelHandlerContext
    ) {
        metrics.refusals.increment(problem.code)
        var headers = HTTPHeaders(problem.fields.map { ($0.0, $0.1) })
        let body = problem.json(requestID: requestID)
        headers.add(name: "content-length", value: "\(body.count)")
        headers.add(name: "x-request-id", value: requestID)
        if closesAfterAnswer { headers.replaceOrAdd(name: "connection", value: "close") }
        let head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: problem.status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(
            wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
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
        if open > 0, isReadingBody, !isAnswering, !isDiscarding, !isRefused {
            connection.work.cancelAll()
            refuse(.bodyTimeout, context)
        } else {
            context.close(promise: nil)
        }
    }
}

@available(*, unavailable)
extension ConnectionHandler: Sendable {}
