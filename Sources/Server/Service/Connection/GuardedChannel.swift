import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// HTTP/1.1 connections of Hummingbird with a ``ConnectionHandler`` each.
struct GuardedChannel: HTTPChannelHandler {
    struct Value: ServerChildChannelValue {
        let parts: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
        let connection: Connection
        var channel: any Channel { parts.channel }
    }

    let responder: Responder
    let limit: ConnectionLimit
    let stalled: StalledAnswers
    let timeouts: ConnectionTimeouts
    let maximumHead: Int
    let metrics: ServiceMetrics
    let overload: @Sendable (HTTPRequestHead) -> Problem?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let isExcess = !limit.opened()
        channel.closeFuture.whenComplete { [limit] _ in limit.closed() }
        return channel.eventLoop.makeCompletedFuture {
            try channel.limitBuffers()
            let pipeline = channel.pipeline.syncOperations
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = maximumHead
            limits.maxHeaderListSize = maximumHead
            // Each field costs more memory than its bytes.
            limits.maxHeaderFieldCount = 100
            let headLimit = HeadLimit(maximumHead)
            let requests = RequestPipeline(headLimit)
            try pipeline.addHandler(headLimit)
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false,
                withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: limits)
            let connection = Connection(channel, stalled)
            try pipeline.addHandler(requests)
            try pipeline.addHandler(
                ConnectionHandler(
                    connection, requests, timeouts, metrics, isExcess: isExcess,
                    overload: overload))
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            // Ends idle connections on shutdown.
            try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
            let parts = try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(
                wrappingChannelSynchronously: channel,
                configuration: .init(
                    backPressureStrategy: LargeReads.backPressure,
                    isOutboundHalfClosureEnabled: true))
            return Value(parts: parts, connection: connection)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await Connection.$current.withValue(value.connection) {
            await handleHTTP(asyncChannel: value.parts, logger: logger)
        }
    }
}

extension Channel {
    /// Bounds the bytes that a connection holds by itself: NIO's defaults are 256 kB for reading, kept
    /// for the next read, and 64 kB for writing.
    func limitBuffers() throws {
        guard let options = syncOptions else { return }
        try options.setOption(.recvAllocator, value: SmallReads.allocator)
        try options.setOption(.maxMessagesPerRead, value: 1)
        try options.setOption(.writeBufferWaterMark, value: .init(low: 4 << 10, high: 16 << 10))
    }
}
