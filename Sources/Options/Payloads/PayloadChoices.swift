package import AttachmentModel
import Foundation
package import NotificationDelivery
package import NotificationProfile
package import NotificationStaging

/// Values of the options of payloads.
package struct PayloadChoices: OptionTarget {
    package var staging = StagingSettings()
    /// Folders that payloads may name files in.
    package var allowedFolders: [String] = []
    /// Fetches pictures that URLs name.
    package var fetches = true
    /// Info.plist files of content extensions.
    package var profiles: [String] = []
    /// File of their display settings; empty for the defaults.
    package var displayOptions = ""

    package init() {}

    /// Configuration of a delivery stage for one set of rendition settings.
    package func delivery(_ settings: ProcessingSettings) -> DeliveryStage.Configuration {
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
    package func profileSet() throws(ProfileError) -> ProfileSet {
        var options = DisplayOptions()
        if !displayOptions.isEmpty { options = try DisplayOptions(file: displayOptions) }
        return try ProfileSet(infoPlists: profiles, options: options)
    }
}
