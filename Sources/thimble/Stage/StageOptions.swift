public import ArgumentParser
import AttachmentContainer
import AttachmentPlanning
import ExtensionProfile
import Foundation
import NotificationDelivery
public import NotificationPayload

/// What `thimble stage` is told of payloads, extensions and paths.
struct StageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Info.plist of a content extension; once for each.",
            discussion: "The notification's category picks the one whose width, scale, render "
                + "budget and ratio its picture is made for.",
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
            "Whose key names the picture: auto, \(PayloadStyle.presets.map(\.name).joined(separator: ", ")), or a path such as a.b[0].c.",
            valueName: "style"))
    var payloadStyle = Default.payloadStyle.value

    @Option(
        help: ArgumentHelp(
            "Folder that attachments may come from; may be repeated. The default is the current one.",
            valueName: "folder"),
        completion: .directory)
    var allowRoot: [String] = []

    @Option(
        help: ArgumentHelp(
            "URL under which the container's renditions are served: the picture's place in the "
                + "payload is changed to it, and the type hint beside it. The rendition is kept for "
                + "as long as 'container prune --keep-published' says, from its last use.",
            valueName: "url"))
    var publishUrl: String?

    @Option(
        help: ArgumentHelp(
            "Longest that a notification may take.", valueName: "seconds"))
    var deadline = Default.deadline.value

    @Option(
        help: ArgumentHelp("Bytes of a payload that APNs takes: 5120 for VoIP.", valueName: "bytes")
    )
    var payloadLimit = Default.payloadLimit.value

    /// What the options are when they are not on the command line.
    private enum Default {
        static let payloadStyle = EnvironmentDefault("payload-style", PayloadStyle.auto)
        static let deadline = EnvironmentDefault("deadline", 25.0)
        static let payloadLimit = EnvironmentDefault("payload-limit", APNsPayload.maximumSize)
    }

    func validate() throws {
        try Default.payloadStyle.check()
        try Default.deadline.check()
        try Default.payloadLimit.check()
        guard deadline.isFinite, 0.01...3600 ~= deadline else {
            throw ValidationError("deadline must be from 0.01 to 3600 seconds")
        }
        guard payloadLimit >= 0 else {
            throw ValidationError("payload-limit must be at least 0 bytes")
        }
        guard profileOptions == nil || !profile.isEmpty else {
            throw ValidationError("--profile-options says how profiles are shown: add --profile")
        }
    }

    /// The extensions.
    ///
    /// - Throws: `ProfileError`.
    func profiles() throws(ProfileError) -> ProfileSet {
        var options = DisplayOptions()
        if let profileOptions { options = try DisplayOptions(file: profileOptions) }
        return try ProfileSet(infoPlists: profile, options: options)
    }

    /// What a stage may spend and hand out, for pictures of one kind.
    ///
    /// - Parameter settings: What is asked of the renditions.
    /// - Returns: The configuration.
    func configuration(_ settings: ProcessingSettings) -> DeliveryStage.Configuration {
        var configuration = DeliveryStage.Configuration()
        configuration.deadline = .seconds(deadline)
        configuration.renderBudget = settings.renderBudget
        configuration.animationRenderBudget = settings.animationRenderBudget
        configuration.allowedRoots = AllowedRoots(
            (allowRoot.isEmpty ? ["."] : allowRoot).map { URL(fileURLWithPath: $0) })
        // The files stay where they are: who sends the payload only passes their place on.
        configuration.handover = .inPlace
        return configuration
    }
}

extension PayloadStyle: ExpressibleByArgument {
    /// Reads the name of a preset, or a path.
    ///
    /// - Parameter argument: What stands on the command line.
    public init?(argument: String) {
        if let style = PayloadStyle(name: argument) {
            self = style
        } else if let path = try? JSONPath(parsing: argument) {
            self = .path(path)
        } else {
            return nil
        }
    }

    /// How the help shows a default.
    public var defaultValueDescription: String { name }
}
