import AttachmentContainer
import AttachmentFetch
import AttachmentModel
import AttachmentStore
import AttachmentWorker
import Foundation
import Logging
import NotificationCheck
import NotificationDelivery
import NotificationStaging
import ServiceOptions

/// Workers, transfers and the stage of the service.
struct ServiceBackend: Sendable {
    /// The workers for attachments without a content extension.
    let processor: MeteredProcessor
    /// All workers, `processor`'s first; with a fleet, they only read headers.
    let pools: [WorkerPool]
    private let fleet: FleetConnection?
    /// Nil if the service fetches nothing.
    let fetcher: AttachmentFetcher?
    let publishing: RenditionPublishing
    let stager: PayloadStager
    private let publisher: ObjectPublisher?

    /// Prepares everything, and starts nothing.
    init(
        _ configuration: ServiceConfiguration, _ container: SharedContainer, jobs: Int,
        _ metrics: ServiceMetrics, _ logger: Logger
    ) throws {
        var pools: [WorkerPool] = []
        let fleet =
            configuration.fleet
            ? try FleetConnection(configuration, container, logger) : nil
        self.fleet = fleet
        let process = { (settings: ProcessingSettings) throws in
            let pool = try WorkerPool(
                settings: settings, container: container, workers: jobs,
                enforcement: configuration.workers.enforcement,
                timeout: .seconds(configuration.workers.timeout),
                sandbox: configuration.workers.sandbox, threads: configuration.workers.threads,
                logger: logger
            ) { metrics.record(.init($0), $1) }
            pools.append(pool)
            return MeteredProcessor(
                processor: try fleet?.processor(settings, container, local: pool) ?? pool,
                metrics: metrics, cap: configuration.renditions.cap)
        }
        var processors: [MeteredProcessor] = []
        let stages = try DeliveryStages(
            try configuration.payloads.profileSet(), settings: configuration.settings
        ) { settings in
            let processor = try process(settings)
            processors.append(processor)
            return try DeliveryStage(
                container: container, processor: processor,
                configuration: configuration.payloads.delivery(settings), logger: logger)
        }
        processor = processors[0]
        self.pools = pools
        fetcher =
            configuration.payloads.fetches
            ? try AttachmentFetcher(
                settings: try configuration.fetching.settings(), container: container,
                sandbox: configuration.workers.sandbox, logger: logger) : nil
        publisher = try configuration.publishing.publisher(
            in: container, configuration.workers.sandbox, logger)
        if let publisher {
            publishing = .store(publisher)
        } else if let url = configuration.publishing.publicURL {
            publishing = .container(container, url: url)
        } else {
            publishing = .none
        }
        stager = try PayloadStager(
            stages, fetcher: fetcher, publishing: publishing,
            settings: configuration.payloads.staging,
            inlinePictures: InlinePictureMaker(pools[0]))
    }

    /// Transfers that wait for servers, not for workers.
    var maximumTransfers: Int {
        (fetcher?.settings.maximumTransfers ?? 0) + (publisher?.settings.maximumRequests ?? 0)
    }

    /// Attachments in work at once with `jobs` workers.
    ///
    /// Two for each worker, because a worker is free while its result is published.
    func places(jobs: Int) -> Int { fleet == nil ? jobs * 2 : FleetConnection.places }

    /// The problem while the fleet takes no jobs; nil otherwise.
    var overload: Problem? {
        fleet?.refusal == nil ? nil : .overloaded(retryAfter: FleetConnection.refusalSeconds)
    }

    func close() async {
        await fleet?.close()
        for pool in pools { await pool.close() }
        await fetcher?.close()
        await publisher?.close()
    }
}

extension ServiceMetrics.Step {
    init(_ step: WorkerPool.Step) {
        switch step {
        case .recall: self = .recall
        case .place: self = .place
        case .decode: self = .decode
        case .publish: self = .publish
        }
    }
}
