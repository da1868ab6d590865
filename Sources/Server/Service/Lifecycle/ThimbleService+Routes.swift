import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation
import HTTPTypes
import Hummingbird
import NotificationPayload
import ServiceOptions

extension ThimbleService {
    /// Methods by path; `/openapi.json` describes the same.
    static let methods: [String: [String]] = [
        "/v1/stage": ["POST"], "/v1/attachments": ["POST"],
        "/v1/attachments/{id}": ["GET", "HEAD"],
        "/v1/renditions/{folder}/{file}": ["GET", "HEAD"],
        "/v1/inspect": ["POST"], "/openapi.json": ["GET", "HEAD"],
    ]

    func routes() throws -> Router<ServiceContext> {
        let router = Router(context: ServiceContext.self)
        router.add(
            middleware: RequestMiddleware(
                metrics: metrics, draining: draining,
                methods: Self.methods.merging(page?.methods ?? [:]) { own, _ in own },
                logger: logger))
        if tokens == nil { router.add(middleware: SiteGuard(configuration)) }
        page?.add(to: router, tokens)
        // The trial page has a secret address, other paths would not.
        guard configuration.pageSecret == nil else { return router }
        // Phones have no token: names of renditions are digests, which nobody guesses.
        let renditions = RenditionsEndpoint(container: container)
        router.get("v1/renditions/{folder}/{file}", use: renditions.show)
        router.head("v1/renditions/{folder}/{file}", use: renditions.show)
        let description = try OpenAPIDocument.bytes(
            of: configuration, requiresToken: tokens != nil)
        for method in [HTTPRequest.Method.get, .head] {
            router.on("openapi.json", method: method) { request, _ in
                try request.checkQuery([])
                return Response.json(bytes: description, for: request, eTag: true)
            }
        }
        let guarded = router.group()
        if let tokens { guarded.add(middleware: BearerAuthentication(tokens: tokens)) }
        let stage = stageEndpoint
        guarded.post("v1/stage", use: stage.stage)
        let attachments = AttachmentsEndpoint(
            intake: intake, reading: reading, fetching: fetching,
            publishing: backend.publishing, container: container, deadline: deadline,
            draining: draining)
        guarded.post("v1/attachments", use: attachments.create)
        guarded.get("v1/attachments/{id}", use: attachments.show)
        guarded.head("v1/attachments/{id}", use: attachments.show)
        let inspect = InspectEndpoint(
            intake: intake, reading: reading, deadline: deadline,
            draining: draining)
        guarded.post("v1/inspect", use: inspect.inspect)
        return router
    }

    private var stageEndpoint: StageEndpoint {
        StageEndpoint(
            staging: PayloadStaging(backend.stager, queue, metrics), deadline: deadline,
            limits: JSONLimits(maximumBytes: configuration.maxPayloadBytes.bytes),
            streams: streams, jobs: backend.places(jobs: jobs) + backend.maximumTransfers,
            idleTime: .seconds(configuration.idleTimeout), draining: draining, logger: logger,
            logsWholeURLs: configuration.logging.wholeURLs)
    }

    /// Nil unless the configuration asks for it.
    private var page: PageRoutes? {
        guard configuration.page else { return nil }
        let trials = TrialsEndpoint(
            configuration: configuration, container: container, fetcher: backend.fetcher,
            reading: reading, quota: trials, deadline: deadline, draining: draining, logger: logger)
        return PageRoutes(trials: trials, configuration: configuration)
    }

    var deadline: RequestDeadline {
        RequestDeadline(standard: configuration.deadline, maximum: configuration.maxDeadline)
    }

    private var intake: WorkerIntake {
        WorkerIntake(processor: backend.processor, queue: queue, metrics: metrics)
    }

    private var fetching: AttachmentFetching {
        AttachmentFetching(
            fetcher: backend.fetcher, metrics: metrics,
            logsWholeURLs: configuration.logging.wholeURLs)
    }

    private var reading: UploadReading {
        UploadReading(
            container: container, limit: configuration.maxUploadBytes, quota: uploads,
            metrics: metrics)
    }

    func declareGauges() {
        let (queue, connections, pools) = (queue, connections, backend.pools)
        let (streams, uploads, configuration) = (streams, uploads, configuration)
        metrics.gauge("thimble_queue_depth", "Waiting attachments and payloads.") { queue.depth }
        metrics.gauge("thimble_queue_bytes", "Bytes of waiting attachments and payloads.") {
            queue.waitingBytes
        }
        metrics.gauge("thimble_queue_limit", "Maximum number of waiting attachments.") {
            configuration.maxQueue
        }
        metrics.gauge("thimble_work_running", "Attachments and payloads in work.") {
            queue.running
        }
        metrics.gauge("thimble_connections", "Open connections.") { connections.count }
        metrics.counter(
            "thimble_connections_refused_total", "Connections over the limit."
        ) { connections.refusedCount }
        metrics.gauge("thimble_streams", "Streams of payloads.") { streams.count }
        metrics.gauge("thimble_uploads", "Attachments that are being received.") { uploads.count }
        let trials = trials
        metrics.gauge("thimble_trials", "Trials of the page in work.") { trials.count }
        metrics.counter("thimble_workers_started_total", "Workers started.") {
            pools.reduce(0) { $0 + $1.statistics.started }
        }
        metrics.counter(
            "thimble_workers_lost_total", "Workers that were killed, crashed or hung at work."
        ) { pools.reduce(0) { $0 + $1.statistics.lost } }
        metrics.gauge("thimble_worker_cap_bytes", "Footprint that a worker must never reach.") {
            configuration.renditions.cap.footprint.bytes
        }
        metrics.declareProcess()
    }
}
