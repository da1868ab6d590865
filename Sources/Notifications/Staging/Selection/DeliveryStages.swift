public import AttachmentModel
public import NotificationProfile
public import NotificationDelivery

/// Delivery stages, one per distinct rendition target of the content extensions.
public struct DeliveryStages: Sendable {
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

    /// Creates the stages.
    ///
    /// - Parameters:
    ///   - profiles: The content extensions, which declare categories. The default is none.
    ///   - settings: Settings of the renditions, where no extension declares other ones.
    ///   - make: Creates the stage for one set of settings; called once for each.
    /// - Throws: The error of `make`.
    public init<Failure: Error>(
        _ profiles: ProfileSet = ProfileSet(), settings: ProcessingSettings,
        make: (ProcessingSettings) throws(Failure) -> DeliveryStage
    ) throws(Failure) {
        self.profiles = profiles
        fallback = try make(settings)
        var stages: [RenditionTarget: DeliveryStage] = [:]
        for profile in profiles.profiles where stages[profile.renditionTarget] == nil {
            let target = profile.renditionTarget
            stages[target] = try make(settings.fitted(to: target))
        }
        self.stages = stages
    }

    /// The stage of the extension that declares the category, else the default stage.
    func choice(for category: String?) -> Choice {
        let match = profiles.match(category)
        if case .profile(let profile) = match, let stage = stages[profile.renditionTarget] {
            return Choice(stage: stage, mismatch: nil)
        }
        return Choice(stage: fallback, mismatch: profiles.profiles.isEmpty ? nil : "\(match)")
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
