import ArgumentParser
import Foundation
import AttachmentModel
import NotificationDelivery
import NotificationPayload
import NotificationStaging
import ThimbleOptions

/// Options of `thimble stage` for payloads, extensions and paths.
struct StageOptions: ParsableArguments {
    @OptionGroup var flags: PayloadFlags

    @Option(help: ArgumentHelp("The apns-push-type of the payloads.", valueName: "type"))
    var pushType = Self.defaultPushType.value

    private static let defaultPushType = EnvironmentDefault("push-type", PushType.alert)

    func validate() throws {
        try Self.defaultPushType.check()
        _ = try choices()
        guard flags.profileOptions == nil || !flags.profile.isEmpty else {
            throw ValidationError(
                "--profile-options has no effect without --profile: add --profile")
        }
    }

    /// The values of the command line and the environment.
    func choices() throws(ValidationError) -> PayloadChoices {
        var choices = PayloadChoices()
        try PayloadOption.all.read(flags, .thimble, into: &choices)
        if choices.staging.payloadLimit == APNsPayload.maximumSize {
            choices.staging.payloadLimit = pushType.maximumSize
        }
        return choices
    }

    /// The values of the header apns-push-type (Apple, "Sending notification requests to APNs").
    enum PushType: String, ExpressibleByArgument, CaseIterable {
        case alert, background, complication, controls, fileprovider, liveactivity, location, mdm
        case pushtotalk, voip, widgets

        var maximumSize: Int { APNsPayload.maximumSize(pushType: rawValue) }
    }
}

extension PayloadChoices {
    /// The stage's configuration for one set of rendition settings.
    func configuration(_ settings: ProcessingSettings) -> DeliveryStage.Configuration {
        var configuration = DeliveryStage.Configuration()
        configuration.deadline = staging.deadline
        configuration.renderBudget = settings.renderBudget
        configuration.animationRenderBudget = settings.animationRenderBudget
        configuration.allowedRoots = AllowedRoots(
            (allowedFolders.isEmpty ? ["."] : allowedFolders).map { URL(fileURLWithPath: $0) })
        // The files stay in the container: the sender of the payload only passes on their location.
        configuration.handover = .inPlace
        return configuration
    }
}
