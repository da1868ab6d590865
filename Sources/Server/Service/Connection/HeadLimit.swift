import NIOCore
import NIOHTTP1

/// Limits the bytes that a connection may send without completing a head or a part of a body.
///
/// NIO's decoder limits the fields of a head, but not its target, which it collects in memory.
final class HeadLimit: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let maximum: Int
    /// Bytes since the decoder's last message part.
    private var length = 0

    init(_ maximum: Int) { self.maximum = maximum }

    /// Called for each message part.
    func reset() { length = 0 }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Bytes after an error are dropped, so that they cost no memory.
        guard length <= maximum else { return }
        length += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
        if length > maximum { context.fireErrorCaught(HTTPParserError.headerOverflow) }
    }
}

@available(*, unavailable)
extension HeadLimit: Sendable {}
