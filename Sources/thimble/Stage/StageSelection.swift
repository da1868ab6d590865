import AttachmentContainer
import AttachmentPlanning
import AttachmentWorker
import ExtensionProfile
import Logging
import NotificationDelivery

/// The stages, one for each kind of picture that the content extensions ask for.
struct StageSelection: Sendable {
    /// A stage, and why it is not that of an extension.
    struct Choice: Sendable {
        let stage: DeliveryStage
        /// Why no extension was found, for a person; nil when one was, or none is known.
        let mismatch: String?
    }

    private let profiles: ProfileSet
    private let stages: [RenditionTarget: DeliveryStage]
    private let other: DeliveryStage
    private let pools: [WorkerPool]

    /// Makes the stages, and starts the first worker, so that what is wrong shows before any work.
    ///
    /// - Parameters:
    ///   - options: The extensions, the paths and the time.
    ///   - settings: What is asked of renditions where no extension says otherwise.
    ///   - container: Where they go.
    ///   - workers: How workers are kept under the cap.
    ///   - jobs: How many there are at most for each kind of picture.
    /// - Throws: `ProfileError`, `SettingsError` or `WorkerPoolError`.
    init(
        _ options: StageOptions, _ settings: ProcessingSettings, _ container: SharedContainer,
        _ workers: WorkerOptions, jobs: Int
    ) async throws {
        profiles = try options.profiles()
        var stages: [RenditionTarget: DeliveryStage] = [:]
        var pools: [WorkerPool] = []
        let make = { (settings: ProcessingSettings) throws -> DeliveryStage in
            let pool = try WorkerPool(
                settings: settings, container: container, workers: jobs,
                enforcement: workers.enforce, timeout: .seconds(workers.timeout),
                sandbox: workers.sandbox,
                logger: Logger(label: "thimble"))
            pools.append(pool)
            return try DeliveryStage(
                container: container, processor: pool,
                configuration: options.configuration(settings), logger: Logger(label: "thimble"))
        }
        other = try make(settings)
        for profile in profiles.profiles where stages[profile.renditionTarget] == nil {
            let target = profile.renditionTarget
            stages[target] = try make(settings.fitted(to: target))
        }
        self.stages = stages
        self.pools = pools
        try await (pools.count > 1 ? pools[1] : pools[0]).warmUp()
    }

    /// The stage for a notification.
    ///
    /// - Parameter category: The notification's category.
    /// - Returns: The stage of the extension that declares it, else that of the settings.
    func choice(for category: String?) -> Choice {
        let match = profiles.match(category)
        if case .profile(let profile) = match, let stage = stages[profile.renditionTarget] {
            return Choice(stage: stage, mismatch: nil)
        }
        return Choice(
            stage: other, mismatch: profiles.profiles.isEmpty ? nil : "\(match)")
    }

    /// Ends the workers.
    func close() async {
        for pool in pools { await pool.close() }
    }
}

extension ProcessingSettings {
    /// The settings for what an extension shows.
    ///
    /// - Parameter target: What it asks of the expanded rendition.
    /// - Returns: The settings; what the target does not say is as before.
    fileprivate func fitted(to target: RenditionTarget) -> ProcessingSettings {
        var settings = self
        settings.width = Double(target.widthInPixels) / scale
        settings.renderBudget = target.renderBudget
        settings.cropRatio = target.cropRatio ?? cropRatio
        return settings
    }
}
