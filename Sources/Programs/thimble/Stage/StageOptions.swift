import ArgumentParser
import AttachmentContainer
import AttachmentModel
import NotificationCheck
import Foundation
import NotificationDelivery
import NotificationPayload
import NotificationStaging

/// Options of `thimble stage` for payloads, extensions and paths.
struct StageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Info.plist of a content extension; may be repeated.",
            discussion:
                "The notification's category selects the extension, and with it the width, scale, render "
                + "budget and ratio of its picture.",
            valueName: "file"),
        completion: .file())
    var profile: [String] = []

    @Option(
        help: ArgumentHelp(
            "Width, scale, render budget and fitting of the profiles, as JSON or a plist.",
            valueName: "file"),
        completion: .file())
    var profileOptions: String?

    @Option(
        help: ArgumentHelp(
            "Key that names the pictures: auto, \(PayloadStyle.presets.map(\.name).joined(separator: ", ")), a path such as a.b[0].c, or a JSON file of paths.",
            discussion:
                "The file has an array of paths, tried in order: strings, or objects with a path and "
                + "the path of a type hint, as in [\"a.b\", {\"path\": \"c.url\", \"type\": \"c.kind\"}].",
            valueName: "style"), transform: PayloadStyle.init(reading:))
    var payloadStyle = Default.payloadStyle.value

    @Option(
        help: ArgumentHelp(
            "Folder that attachments may come from; may be repeated. The default is the current one.",
            valueName: "folder"),
        completion: .directory)
    var allowRoot: [String] = []

    @Flag(inversion: .prefixedNo, help: "Add the note on the picture to the payload.")
    var note = Default.note.value.isYes

    @Option(
        help: ArgumentHelp(
            "Key or path of the note in the payload, such as data.picture; not in aps.",
            valueName: "path"))
    var noteKey = Default.noteKey.value

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Publish a manifest for every notification, under its identifier.",
            discussion:
                "By default all notifications with a picture share one, and only the first of them "
                + "takes time."))
    var manifestPerNotification = Default.manifestPerNotification.value.isYes

    @Flag(inversion: .prefixedNo, help: "Fetch pictures that URLs name.")
    var fetch = Default.fetch.value.isYes

    @Option(help: ArgumentHelp("Time limit for one notification.", valueName: "seconds"))
    var deadline = Default.deadline.value

    @Option(
        help: ArgumentHelp(
            "Maximum size of a payload; 5120 with --push-type voip.", valueName: "bytes"))
    var payloadLimit = Default.payloadLimit.value

    @Option(help: ArgumentHelp("The apns-push-type of the payloads.", valueName: "type"))
    var pushType = Default.pushType.value

    /// Defaults, which the environment may override.
    private enum Default {
        static let payloadStyle = EnvironmentDefault("payload-style", PayloadStyle.auto)
        static let note = EnvironmentDefault("note", Answer.yes)
        static let noteKey = EnvironmentDefault("note-key", NoteKey(APNsPayload.notePath))
        static let manifestPerNotification = EnvironmentDefault(
            "manifest-per-notification", Answer.no)
        static let fetch = EnvironmentDefault("fetch", Answer.yes)
        static let deadline = EnvironmentDefault("deadline", 25.0)
        static let payloadLimit = EnvironmentDefault("payload-limit", APNsPayload.maximumSize)
        static let pushType = EnvironmentDefault("push-type", PushType.alert)
    }

    func validate() throws {
        try Default.payloadStyle.check()
        try Default.note.check()
        try Default.noteKey.check()
        try Default.manifestPerNotification.check()
        try Default.fetch.check()
        try Default.deadline.check()
        try Default.payloadLimit.check()
        try Default.pushType.check()
        guard deadline.isFinite, 0.01...3600 ~= deadline else {
            throw ValidationError("deadline must be from 0.01 to 3600 seconds")
        }
        guard payloadLimit >= 0 else {
            throw ValidationError("payload-limit must be at least 0 bytes")
        }
        guard profileOptions == nil || !profile.isEmpty else {
            throw ValidationError(
                "--profile-options has no effect without --profile: add --profile")
        }
    }

    /// The values of the header apns-push-type (Apple, "Sending notification requests to APNs").
    enum PushType: String, ExpressibleByArgument, CaseIterable {
        case alert, background, complication, controls, fileprovider, liveactivity, location, mdm
        case pushtotalk, voip, widgets

        var maximumSize: Int { APNsPayload.maximumSize(pushType: rawValue) }
    }

    func profiles() throws(ProfileError) -> ProfileSet {
        var options = DisplayOptions()
        if let profileOptions { options = try DisplayOptions(file: profileOptions) }
        return try ProfileSet(infoPlists: profile, options: options)
    }

    /// Keys, limits and time.
    var staging: StagingSettings {
        var staging = StagingSettings()
        staging.payloadStyle = payloadStyle
        staging.addsNote = note
        staging.notePath = noteKey.path
        staging.payloadLimit =
            payloadLimit == APNsPayload.maximumSize ? pushType.maximumSize : payloadLimit
        staging.manifestPerNotification = manifestPerNotification
        staging.deadline = .seconds(deadline)
        return staging
    }

    /// The stage's configuration for one set of rendition settings.
    func configuration(_ settings: ProcessingSettings) -> DeliveryStage.Configuration {
        var configuration = DeliveryStage.Configuration()
        configuration.deadline = .seconds(deadline)
        configuration.renderBudget = settings.renderBudget
        configuration.animationRenderBudget = settings.animationRenderBudget
        configuration.allowedRoots = AllowedRoots(
            (allowRoot.isEmpty ? ["."] : allowRoot).map { URL(fileURLWithPath: $0) })
        // The files stay in the container: the sender of the payload only passes on their location.
        configuration.handover = .inPlace
        return configuration
    }
}
