import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import CArenas
import Foundation
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import NotificationDelivery
import PrometheusMetrics
import ServiceLifecycle
package import ServiceOptions
import UnixSignals

/// The service: two ports, the workers, and their orderly end.
package struct ThimbleService: Sendable {
    let configuration: ServiceConfiguration
    let container: SharedContainer
    let backend: ServiceBackend
    let tokens: BearerTokens?
    let metrics: ServiceMetrics
    let queue: WorkQueue
    let draining = Draining()
    let connections: ConnectionLimit
    let streams: Quota
    let uploads: Quota
    let trials: Quota
    let jobs: Int
    let logger: Logger
    /// Called with the port once the service listens.
    package var onListening: @Sendable (Int) -> Void = { _ in }

    /// Opens the container and the token file, and prepares the workers.
    package init(_ configuration: ServiceConfiguration, logger: Logger) throws {
        self.configuration = configuration
        self.logger = logger
        let allowed = FileLimit.raise()
        // glibc gives 16 arenas to two cores. Each keeps what its threads have freed, which under
        // 4,096 connections is a third of the memory (bench/results/server.md).
        thimble_limit_arenas(2)
        let registry = PrometheusRegistry()
        let metrics = ServiceMetrics(registry)
        self.metrics = metrics
        tokens = configuration.tokens.isEmpty ? nil : try BearerTokens(path: configuration.tokens)
        container = try SharedContainer.create(
            at: URL(fileURLWithPath: configuration.container, isDirectory: true))
        jobs = configuration.jobCount
        backend = try ServiceBackend(configuration, container, jobs: jobs, metrics, logger)
        queue = WorkQueue(
            places: backend.places(jobs: jobs), maximum: configuration.maxQueue,
            maximumBytes: configuration.maxQueueBytes)
        connections = ConnectionLimit(
            min(configuration.maxConnections, allowed * 4 / 5))
        streams = Quota(configuration.maxStreams)
        uploads = Quota(configuration.maxUploads)
        trials = Quota(configuration.maxTrials)
        declareGauges()
    }

    /// Serves until SIGTERM or SIGINT, and ends within the grace time.
    package func run() async throws {
        try await backend.pools[0].warmUp()
        if tokens == nil, !configuration.isLocal {
            logger.warning("no tokens: everyone who reaches the address may process attachments")
        }
        let application = Application(
            responder: try routes().buildResponder(), server: server(),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), backlog: 4096,
                availableConnectionsDelegate: connections.delegate),
            onServerRunning: { [logger, onListening] channel in
                let port = channel.localAddress?.port ?? 0
                logger.notice("listening", metadata: ["port": .stringConvertible(port)])
                onListening(port)
            },
            logger: logger.quiet)
        var services: [any Service] = [
            BackendLife(backend: backend),
            OperationsServer(
                host: configuration.operationsHost, port: configuration.operationsPort,
                registry: metrics.registry, draining: draining, logger: logger),
        ]
        if let tokens { services.append(TokenReload(tokens: tokens, logger: logger)) }
        if configuration.page {
            services.append(
                TrialSweep(container: container, lifetime: configuration.trialLifetime))
        }
        let (queue, uploads) = (queue, uploads)
        let pruning = try ScheduledPruning(configuration, of: container, metrics, draining, logger)
        {
            queue.running == 0 && queue.depth == 0 && uploads.count == 0
        }
        if let pruning { services.append(pruning) }
        // The last one is the first to end.
        services += [
            application,
            Readiness(draining: draining, time: .seconds(workTime), logger: logger),
        ]
        var group = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger.quiet)
        group.maximumGracefulShutdownDuration = .seconds((workTime + configuration.grace) / 2)
        endAfterGrace()
        do {
            try await ServiceGroup(configuration: group).run()
        } catch is CancellationError where draining.hasBegun {
            // The end of work that was cancelled.
        } catch let error as IOError {
            logger.debug(
                "listening failed", metadata: ["errno": .stringConvertible(Int(error.errnoCode))])
            throw ListeningError(name: "port", host: configuration.host, port: configuration.port)
        }
        logger.notice("ended")
    }

    /// Part of the grace time for work in progress, in seconds; the rest is for its cancellation.
    private var workTime: Double {
        configuration.grace - min(3, configuration.grace / 3)
    }

    /// Ends a process whose services do not end.
    ///
    /// Workers exit with it.
    private func endAfterGrace() {
        let (draining, grace, logger) = (draining, configuration.grace, logger)
        Thread.detachNewThread {
            while !draining.hasBegun { Thread.sleep(forTimeInterval: 0.1) }
            Thread.sleep(forTimeInterval: max(0.1, grace - 0.2))
            logger.warning("ended by the grace time")
            LogSink.standardError.flush()
            exit(0)
        }
    }

    private func server() -> HTTPServerBuilder {
        let timeouts = ConnectionTimeouts(
            header: TimeAmount(seconds: configuration.headerTimeout),
            body: TimeAmount(seconds: configuration.bodyTimeout),
            idle: TimeAmount(seconds: configuration.idleTimeout), deadline: deadline)
        // 32 MB at most, and enough for clients on slow networks.
        let stalled = StalledAnswers(512)
        return HTTPServerBuilder {
            [backend, connections, metrics, configuration, queue, uploads, tokens] responder in
            let tasks = RequestTask(responder)
            return GuardedChannel(
                responder: { try await tasks.respond(to: $0, $1, $2) }, limit: connections,
                stalled: stalled, timeouts: timeouts,
                maximumHead: configuration.maxHeaderBytes.bytes, metrics: metrics
            ) { head in
                // Strangers learn nothing about the load: the service refuses them.
                let authorization = head.headers.first(name: "authorization")
                guard head.method == .POST,
                    tokens?.accept(authorization: authorization) ?? true
                else { return nil }
                if let problem = queue.overload ?? backend.overload { return problem }
                return head.uri != "/v1/stage" ? uploads.overload : nil
            }
        }
    }
}
