import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import PrometheusMetrics
import ServiceLifecycle
import Synchronization

/// Port for health and metrics, with a thread and a connection limit of its own, so that overload of
/// the service does not reach it.
struct OperationsServer: Service {
    let host: String
    let port: Int
    let registry: PrometheusRegistry
    let draining: Draining
    let logger: Logger

    /// Probes and scrapers are few.
    private static let maximumConnections = 64

    func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let open = OpenConnections(Self.maximumConnections)
        let page = MetricsPage(registry)
        let channel: any Channel
        do {
            channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                // Else the kernel takes megabytes of answers that nobody reads, which takes time.
                .childChannelOption(.socketOption(.so_sndbuf), value: 64 << 10)
                .childChannelInitializer { [draining] channel in
                    open.add(channel)
                    channel.closeFuture.whenComplete { _ in open.remove(channel) }
                    return channel.eventLoop.makeCompletedFuture {
                        try channel.limitBuffers()
                        var limits = NIOHTTPDecoderLimitConfiguration()
                        limits.maxHeaderListSize = 8 << 10
                        limits.maxHeaderFieldCount = 64
                        let pipeline = channel.pipeline.syncOperations
                        let headLimit = HeadLimit(8 << 10)
                        try pipeline.addHandler(headLimit)
                        try pipeline.configureHTTPServerPipeline(
                            withPipeliningAssistance: false, withErrorHandling: false,
                            withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
                            withDecoderLimitConfiguration: limits)
                        try pipeline.addHandler(RequestPipeline(headLimit))
                        try pipeline.addHandler(OperationsHandler(page, draining))
                    }
                }
                .bind(host: host, port: port).get()
        } catch {
            try await group.shutdownGracefully()
            throw ListeningError(name: "operations-port", host: host, port: port)
        }
        logger.notice(
            "operations listening",
            metadata: ["port": .stringConvertible(channel.localAddress?.port ?? port)])
        try? await gracefulShutdown()
        try await channel.close()
        try await group.shutdownGracefully()
    }

    /// The open connections; one more than the maximum ends the oldest, so that probes are answered
    /// whatever others hold.
    private final class OpenConnections: Sendable {
        private let maximum: Int
        private let channels = Mutex<[any Channel]>([])

        init(_ maximum: Int) { self.maximum = maximum }

        func add(_ channel: any Channel) {
            let oldest: (any Channel)? = channels.withLock { channels -> (any Channel)? in
                channels.append(channel)
                return channels.count > maximum ? channels.removeFirst() : nil
            }
            oldest?.close(promise: nil)
        }

        func remove(_ channel: any Channel) {
            channels.withLock { $0.removeAll { $0 === channel } }
        }
    }
}

/// A port that cannot be listened on.
package struct ListeningError: Error, CustomStringConvertible {
    let name: String
    let host: String
    let port: Int

    /// Reason and remedy, in one line.
    package var description: String { "\(reason); \(remedy)" }

    var reason: String { "cannot listen on \(host), port \(port)" }

    var remedy: String { "choose another --\(name), or end the process that uses it" }
}
