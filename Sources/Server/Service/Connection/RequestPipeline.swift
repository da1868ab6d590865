import NIOCore
import NIOHTTP1

/// Passes one request of a connection on at a time, and reads no further one before its answer is with
/// the kernel.
///
/// A client that sends requests and never reads costs the memory of one answer, then, whatever
/// answers it. Both ports use it.
final class RequestPipeline: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Requests that arrived behind another in the same packet and wait, at most.
    ///
    /// A packet of 16 KiB may hold hundreds, each of which costs more memory than its bytes. The
    /// connection ends after the last one that is kept, and clients send the others again (RFC 9112,
    /// section 9.3.2).
    private static let maximumWaiting = 16

    private let headLimit: HeadLimit
    private var waiting = CircularBuffer<HTTPServerRequestPart>(initialCapacity: 0)
    private var waitingRequests = 0
    private var waitingError: HTTPParserError?
    private var isReceiving = false
    private var isAnswering = false
    /// True once no further request is passed on.
    private var isEnded = false
    private var wantsRead = false

    init(_ headLimit: HeadLimit) { self.headLimit = headLimit }

    /// Makes the current request the last one: further ones are dropped, the rest of its parts is not.
    func endAfterCurrentRequest() {
        isEnded = true
        let next = waiting.firstIndex { if case .head = $0 { true } else { false } }
        if let next { waiting.removeLast(waiting.distance(from: next, to: waiting.endIndex)) }
        waitingError = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        headLimit.reset()
        let part = unwrapInboundIn(data)
        guard !waiting.isEmpty || !isReceiving else { return pass(part, context) }
        guard !isEnded else { return }
        if waiting.isEmpty, mayBegin(context) { return pass(part, context) }
        if case .head = part {
            guard waitingRequests < Self.maximumWaiting else {
                endAfterWaitingRequests()
                return
            }
            waitingRequests += 1
        }
        waiting.append(part)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError, !isReceiving || !waiting.isEmpty,
            !waiting.isEmpty || !mayBegin(context)
        else { return context.fireErrorCaught(error) }
        // Answers of earlier requests come first.
        if !isEnded { waitingError = error }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else {
            return context.write(data, promise: promise)
        }
        context.write(data, promise: promise)
        isAnswering = false
        // Later, because the handler that writes has not finished with this request yet.
        context.eventLoop.assumeIsolated().execute { self.proceed(context) }
    }

    func read(context: ChannelHandlerContext) {
        wantsRead = true
        proceed(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        context.fireChannelWritabilityChanged()
        proceed(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        endAfterCurrentRequest()
        context.fireChannelInactive()
    }

    /// True if the last answer is complete and with the kernel.
    private func mayBegin(_ context: ChannelHandlerContext) -> Bool {
        !isReceiving && !isAnswering && context.channel.isWritable
    }

    private func proceed(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        var hasPassed = false
        while let part = waiting.first, isReceiving || mayBegin(context) {
            waiting.removeFirst()
            pass(part, context)
            hasPassed = true
        }
        // The tasks of requests receive parts when a read is complete.
        if hasPassed { context.fireChannelReadComplete() }
        guard waiting.isEmpty else { return }
        if let error = waitingError, mayBegin(context) {
            waitingError = nil
            context.fireErrorCaught(error)
        }
        // After the last request nothing is read: the bytes would only cost time.
        guard wantsRead, isReceiving || (!isEnded && mayBegin(context)) else { return }
        wantsRead = false
        context.read()
    }

    private func pass(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head:
            waitingRequests = max(0, waitingRequests - 1)
            (isReceiving, isAnswering) = (true, true)
        case .body: break
        case .end: isReceiving = false
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    private func endAfterWaitingRequests() {
        isEnded = true
        let last = waiting.lastIndex { if case .head = $0 { true } else { false } }
        guard let last, case .head(var head) = waiting[last] else { return }
        head.headers.replaceOrAdd(name: "connection", value: "close")
        waiting[last] = .head(head)
    }
}

@available(*, unavailable)
extension RequestPipeline: Sendable {}
