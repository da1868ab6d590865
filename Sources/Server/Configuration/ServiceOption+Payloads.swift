import Foundation
import NotificationCheck
import NotificationPayload

/// Options for payloads.
extension ServiceOption {
    static let payloadStyle: ServiceOption = ServiceOption(
        "payload-style", \.payloadStyle, \.payloadStyle,
        "auto, \(PayloadStyle.presets.map(\.name).joined(separator: ", ")), a path, or a file of paths",
        "Key that names the pictures.", valueName: "style", parse: style, show: \.name)
    static let payloadLimit: ServiceOption = .count(
        "payload-limit", \.payloadLimit, \.payloadLimit, 0...1_000_000,
        "Maximum bytes of a payload after the change.")
    static let note: ServiceOption = .choice(
        "note", \.note, \.note, "Add the note on the pictures to payloads.")
    static let noteKey: ServiceOption = ServiceOption(
        "note-key", \.noteKey, \.noteKey, "a path of keys outside aps, such as data.picture",
        "Place of the note in a payload.", valueName: "path",
        parse: { text in (try? JSONPath(parsing: text)).flatMap { $0.isNotePath ? $0 : nil } },
        show: \.description)
    static let manifestPerNotification: ServiceOption = .choice(
        "manifest-per-notification", \.manifestPerNotification, \.manifestPerNotification,
        "Publish a manifest for every notification, under its identifier.")
    static let profile: ServiceOption = .list(
        "profile", \.profile, \.profile, separator: ":", "files",
        "Info.plist files of content extensions, separated by colons.", valueName: "files"
    ) { $0 }
    static let profileOptions: ServiceOption = .text(
        "profile-options", \.profileOptions, \.profileOptions, "a file",
        "Width, scale, render budget and fitting of the profiles, as JSON or a plist.",
        valueName: "file")

    /// A slash or the ending `.json` tells a file from a path.
    private static let style: @Sendable (String) -> PayloadStyle? = { text in
        if let style = PayloadStyle(name: text) { return style }
        guard text.contains("/") || text.hasSuffix(".json") else {
            // A misspelt name would otherwise be a key that no payload has.
            let names = PayloadStyle.presets.map(\.name)
            guard NearMiss.nearest(to: text, among: names) == nil else { return nil }
            return (try? JSONPath(parsing: text)).map { .path($0) }
        }
        return (try? Data(contentsOf: URL(fileURLWithPath: text))).flatMap {
            try? PayloadStyle(parsing: $0)
        }
    }
}
