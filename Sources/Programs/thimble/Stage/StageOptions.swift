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
        if choices.allowedFolders.isEmpty { choices.allowedFolders = ["."] }
        return choices
    }

    /// The values of the header apns-push-type (Apple, "Sending notification requests to APNs").
    enum PushType: String, ExpressibleByArgument, CaseIterable {
        case alert, background, complication, controls, fileprovider, liveactivity, location, mdm
        case pushtotalk, voip, widgets

        var maximumSize: Int { APNsPayload.maximumSize(pushType: rawValue) }
    }
}
