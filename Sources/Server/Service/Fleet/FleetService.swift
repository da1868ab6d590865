import AttachmentContainer
import AttachmentFetch
import AttachmentFleet
import AttachmentModel
import AttachmentStore
import AttachmentWorker
import Foundation
import JobBroker
package import Logging
import NotificationDelivery
import PrometheusMetrics
import ServiceLifecycle
package import ServiceOptions
import UnixSignals

/// A worker of a fleet: takes jobs from the broker until SIGTERM.
package struct FleetService: Sendable {
    private let configuration: ServiceConfiguration
    private let broker: BrokerSettings
    private let container: SharedContainer
    private let pools: PoolsBySettings
    private let parts: FleetParts
    private let metrics: ServiceMetrics
    private let counters = FleetCounters()
    private let draining = Draining()
    private let jobs: Int
    private let logger: Logger

    /// Opens container and store, and prepares the workers.
    package init(_ configuration: ServiceConfiguration, logger: Logger) throws {
        self.configuration = configuration
        self.logger = logger
        broker = try configuration.brokerSettings()
        container = try SharedContainer.create(
            at: URL(fileURLWithPath: configuration.container, isDirectory: true))
        jobs = configuration.jobCount
        metrics = ServiceMetrics(PrometheusRegistry())
        pools = PoolsBySettings(configuration, container, jobs: jobs, metrics, logger)
        parts = try FleetParts(configuration, in: container, jobs: jobs, logger)
    }

    /// Works until SIGTERM or SIGINT; jobs that do not end within the grace time go back.
    package func run() async throws {
        try pools.place(for: configuration.settings)?.leave()
        let messages = JobPublisher(broker, logger)
        let worker = FleetWorker(
            parts.worker(messages, roots: configuration.payloads.allowedFolders),
            settings: configuration.settings, places: pools.place, counters: counters,
            logger)
        let consumer = JobConsumer(broker, jobs: jobs, logger) { queue, delivery in
            await worker.work(queue, delivery)
        }
        let presence = WorkerPresence(broker, logger) { [counters, jobs] in
            WorkerState(
                worker: FleetWorker.name, running: consumer.running, limit: jobs,
                wait: counters.wait, outcomes: counters.outcomes
            ).message
        }
        let depths = QueueDepths(broker)
        declareGauges(consumer, depths)
        logger.notice("working", metadata: ["jobs": .stringConvertible(jobs)])
        let pruning = try ScheduledPruning(configuration, of: container, metrics, draining, logger)
        {
            consumer.running == 0
        }
        let services: [(any Service)?] = [
            OperationsServer(
                host: configuration.operationsHost, port: configuration.operationsPort,
                registry: metrics.registry, draining: draining, logger: logger),
            pruning,
            ConsumerLife(
                consumer: consumer, counters: counters, draining: draining,
                grace: configuration.grace, logger: logger),
        ]
        var group = ServiceGroupConfiguration(
            services: services.compactMap(\.self),
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger.quiet)
        group.maximumGracefulShutdownDuration = .seconds(configuration.grace + 5)
        try await ServiceGroup(configuration: group).run()
        depths.end()
        await presence.close()
        await messages.close()
        await parts.close()
        await pools.close()
        logger.notice("ended")
    }

    private func declareGauges(_ consumer: JobConsumer, _ depths: QueueDepths) {
        let (counters, pools, jobs) = (counters, pools, jobs)
        metrics.gauge("thimble_work_running", "Jobs in work.") { consumer.running }
        metrics.gauge("thimble_work_limit", "Jobs that are worked on at once.") { jobs }
        metrics.gauge("thimble_broker_connected", "1 while a connection to the broker is open.") {
            consumer.isConnected ? 1 : 0
        }
        metrics.gauge(
            "thimble_queue_wait_seconds",
            "Time that the job received last had waited; 0 while no job is ready."
        ) { depths.isEmpty ? 0 : Int(counters.wait) }
        metrics.registry.declare(
            MetricDescription(
                "thimble_jobs_ready", .gauge, "Jobs that no worker has taken, by queue.")
        ) {
            depths.latest.map { .init(Double($0.ready), [("queue", $0.queue.rawValue)]) }
        }
        metrics.counter(
            "thimble_workers_lost_total", "Workers that were killed, crashed or hung at work."
        ) { pools.workersLost }
        metrics.registry.declare(
            MetricDescription(
                "thimble_jobs_total", .counter,
                "Finished jobs, by renditions, known, or the code of the failure.")
        ) {
            counters.outcomes.sorted { $0.key < $1.key }.map {
                .init(Double($0.value), [("outcome", $0.key)])
            }
        }
        metrics.declareProcess()
    }
}

/// Ends first: takes no more jobs, and gives back what does not end in time.
private struct ConsumerLife: Service {
    let consumer: JobConsumer
    let counters: FleetCounters
    let draining: Draining
    let grace: Double
    let logger: Logger

    func run() async throws {
        try? await gracefulShutdown()
        draining.begin()
        counters.isEnding = true
        logger.notice("draining")
        let drain = Task { await consumer.drain() }
        let timer = Deadline(at: .now + .seconds(grace - min(3, grace / 3))) { drain.cancel() }
        await drain.value
        timer.cancel()
    }
}

/// Transfers of a worker: sources and results.
struct FleetParts: Sendable {
    let fetcher: AttachmentFetcher
    let files: ObjectFiles
    let container: SharedContainer

    init(
        _ configuration: ServiceConfiguration, in container: SharedContainer, jobs: Int,
        _ logger: Logger
    ) throws {
        fetcher = try AttachmentFetcher(
            settings: try configuration.fetching.settings(), container: container,
            sandbox: configuration.workers.sandbox, logger: logger)
        self.container = container
        files = try configuration.objectFiles(in: container.incomingFolder, jobs: jobs, logger)
    }

    func worker(_ messages: JobPublisher, roots: [String]) -> FleetWorker.Parts {
        FleetWorker.Parts(
            fetcher: fetcher, files: files, container: container, messages: messages,
            roots: AllowedRoots(roots.map { URL(fileURLWithPath: $0) }))
    }

    func close() async {
        await fetcher.close()
        await files.close()
    }
}
