import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Logging
import NotificationDelivery
import NotificationStaging
import ThimbleOptions

/// Delivery stages and their workers.
struct StageWorkers: Sendable {
    let stages: DeliveryStages
    /// Pools of the stages, the default stage's first.
    private let pools: [WorkerPool]

    /// Creates the stages, without starting a worker.
    init(
        _ payloads: PayloadChoices, _ settings: ProcessingSettings, _ container: SharedContainer,
        _ workers: WorkerOptions, jobs: Int
    ) throws {
        var pools: [WorkerPool] = []
        stages = try DeliveryStages(try payloads.profileSet(), settings: settings) { settings in
            let pool = try workers.makePool(settings, container, workers: jobs)
            pools.append(pool)
            return try DeliveryStage(
                container: container, processor: pool,
                configuration: payloads.delivery(settings), logger: Logger(label: "thimble"))
        }
        self.pools = pools
    }

    /// The maker of pictures inside payloads, by the workers of the default stage.
    var inlinePictures: InlinePictureMaker { InlinePictureMaker(pools[0]) }

    /// Starts the first worker, so that faults show before any work.
    func warmUp() async throws {
        try await (pools.count > 1 ? pools[1] : pools[0]).warmUp()
    }

    func close() async {
        for pool in pools { await pool.close() }
    }
}
