import NIOCore
import NIOHTTP1
import Synchronization

/// Link between a connection's event loop and the tasks of its requests.
final class Connection: Sendable {
    /// The connection of the running request.
    @TaskLocal static var current: Connection?

    /// Work that ends with the connection.
    let work = CancellationList()
    let peer: Peer
    private let place = Mutex<RequestGate.Place?>(nil)
    private let channel: any Channel
    private let stalled: StalledAnswers

    init(_ channel: any Channel, _ stalled: StalledAnswers) {
        self.channel = channel
        self.stalled = stalled
        peer = Peer(channel.remoteAddress)
    }

    /// True once the client is gone, or the rest of its request is not read.
    static var isGone: Bool { current?.work.isOver ?? false }

    /// Keeps the place of a reading request until its answer is with the kernel, or waits for the client.
    func setPlace(_ place: RequestGate.Place) { self.place.withLock { $0 = place } }

    func takePlace() -> RequestGate.Place? {
        place.withLock { place in
            defer { place = nil }
            return place
        }
    }

    /// Notes whether the client has to read before more of the answer is taken; its request then gives its
    /// place up.
    func setStalled(_ isStalled: Bool) {
        guard isStalled else { return stalled.remove(channel, of: peer) }
        takePlace()?.leave()
        stalled.add(channel, of: peer)
    }

    /// Waits until the event loop has taken the writes so far.
    ///
    /// Until then the writer of an answer does not know whether the client reads, and takes any number of
    /// bytes: 300 kB for each of 700 requests at once.
    func passWrites() async {
        try? await channel.eventLoop.submit {}.get()
    }

    /// Reads in large parts until ``readInSmallParts()``, for a body that has a place.
    func readInLargeParts() { channel.setReads(LargeReads()) }

    func readInSmallParts() { channel.setReads(SmallReads.allocator) }

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
