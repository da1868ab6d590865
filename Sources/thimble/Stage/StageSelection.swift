import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import NotificationCheck
import Logging
import NotificationDelivery

/// Delivery stages, one per distinct rendition target of the content extensions.
struct StageSelection: Sendable {
    struct Choice: Sendable {
        let stage: DeliveryStage
        /// The reason for falling back to the default stage, for people.
        ///
        /// Nil if an extension matched or none is known.
        let mismatch: String?
    }

    private let profiles: ProfileSet
    private let stages: [RenditionTarget: DeliveryStage]
    private let fallback: DeliveryStage
    private let pools: [WorkerPool]

    /// Creates the stages, without starting a worker.
    init(
        _ options: StageOptions, _ settings: ProcessingSettings, _ container: SharedContainer,
        _ workers: WorkerOptions, jobs: Int
    ) throws {
        profiles = try options.profiles()
        var stages: [RenditionTarget: DeliveryStage] = [:]
        var pools: [WorkerPool] = []
        let make = { (settings: ProcessingSettings) throws -> DeliveryStage in
            let pool = try workers.makePool(settings, container, workers: jobs)
            pools.append(pool)
            return try DeliveryStage(
                container: container, processor: pool,
                configuration: options.configuration(settings), logger: Logger(label: "thimble"))
        }
        fallback = try make(settings)
        for profile in profiles.profiles where stages[profile.renditionTarget] == nil {
            let target = profile.renditionTarget
            stages[target] = try make(settings.fitted(to: target))
        }
        self.stages = stages
        self.pools = pools
    }

    /// Starts the first worker, so that faults show before any work.
    func warmUp() async throws {
        try await (pools.count > 1 ? pools[1] : pools[0]).warmUp()
    }

    /// The stage of the extension that declares the category, else the default stage.
    func choice(for category: String?) -> Choice {
        let match = profiles.match(category)
        if case .profile(let profile) = match, let stage = stages[profile.renditionTarget] {
            return Choice(stage: stage, mismatch: nil)
        }
        return Choice(stage: fallback, mismatch: profiles.profiles.isEmpty ? nil : "\(match)")
    }

    func close() async {
        for pool in pools { await pool.close() }
    }
}

extension ProcessingSettings {
    /// The settings with the target's values where it has any.
    fileprivate func fitted(to target: RenditionTarget) -> ProcessingSettings {
        var settings = self
        settings.width = Double(target.widthInPixels) / scale
        settings.renderBudget = target.renderBudget
        settings.cropRatio = target.cropRatio ?? cropRatio
        return settings
    }
}
