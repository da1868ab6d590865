public import AttachmentModel
import Foundation
public import NotificationDelivery
public import NotificationProfile
public import NotificationStaging

/// Values of the options of payloads.
public struct PayloadChoices: OptionTarget {
    /// Keys, limits and time of the stage.
    public var staging = StagingSettings()
    /// Folders that payloads may name files in; the default is none.
    public var allowedFolders: [String] = []
    /// True to fetch pictures that URLs name, the default.
    public var fetches = true
    /// Paths of Info.plist files of content extensions; the default is none.
    public var profiles: [String] = []
    /// File of their display settings; empty for the defaults.
    package var displayOptions = ""

    /// Creates the built-in values.
    public init() {}

    /// Configuration of a delivery stage for one set of rendition settings.
    public func delivery(_ settings: ProcessingSettings) -> DeliveryStage.Configuration {
        var configuration = DeliveryStage.Configuration()
        configuration.deadline = staging.deadline
        configuration.renderBudget = settings.renderBudget
        configuration.animationRenderBudget = settings.animationRenderBudget
        configuration.allowedRoots = AllowedRoots(
            allowedFolders.map { URL(fileURLWithPath: $0) })
        // The files stay in the container: the payload names their location only.
        configuration.handover = .inPlace
        return configuration
    }

    /// Reads the profiles of content extensions.
    public func profileSet() throws(ProfileError) -> ProfileSet {
        var options = DisplayOptions()
        if !displayOptions.isEmpty { options = try DisplayOptions(file: displayOptions) }
        return try ProfileSet(infoPlists: profiles, options: options)
    }
}
