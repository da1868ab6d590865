import Foundation
import NotificationProfile
import NotificationPayload
import NotificationStaging

/// The options of payloads.
public enum PayloadOption {
    /// A declaration of this kind.
    public typealias Declaration = OptionDeclaration<PayloadFlags, PayloadChoices>

    /// All of them, in the order of the help.
    public static let all: [Declaration] = [
        profile, profileOptions, payloadStyle, allowRoot, note, noteKey, manifestPerNotification,
        inline, inlineChroma, fetch, deadline, payloadLimit,
    ]

    package static let profile: Declaration = {
        var option: Declaration = .list(
            "profile", \.profile, \.profiles, separator: ":", "files",
            "Info.plist of a content extension; may be repeated.", valueName: "file"
        ) { $0 }
        option.discussion =
            "The notification's category selects the extension, and with it the width, scale, "
            + "render budget and ratio of its picture."
        option.completion = .file
        return option
    }()
    package static let profileOptions: Declaration = .path(
        "profile-options", \.profileOptions, \.displayOptions, "a file",
        "Width, scale, render budget and fitting of the profiles, as JSON or a plist.")
    package static let payloadStyle: Declaration = {
        let names = PayloadStyle.presets.map(\.name).joined(separator: ", ")
        var option = Declaration(
            "payload-style", \.payloadStyle, \.staging.payloadStyle,
            "auto, \(names), a path, or a file of paths",
            "Key that names the pictures: auto, \(names), a path such as a.b[0].c, or a JSON file of paths.",
            valueName: "style", parse: { try? style($0).get() }, show: \.name)
        option.hint = { text in
            guard case .failure(let failure) = style(text) else { return nil }
            return failure.reason
        }
        option.discussion =
            "The file has an array of paths, tried in order: strings, or objects with a path and "
            + "the path of a type hint, as in [\"a.b\", {\"path\": \"c.url\", \"type\": \"c.kind\"}]."
        return option
    }()
    package static let allowRoot: Declaration = {
        var option: Declaration = .list(
            "allow-root", \.allowRoot, \.allowedFolders, separator: ":", "folders",
            "Folder that attachments may come from; may be repeated.", valueName: "folder"
        ) { $0 }
        option.discussion =
            "Without it, thimble stage allows the current folder, and the service none."
        option.completion = .folder
        return option
    }()
    package static let note: Declaration = .answer(
        "note", \.note, \.staging.addsNote, "Add the note on the picture to the payload.")
    package static let noteKey: Declaration = Declaration(
        "note-key", \.noteKey, \.staging.notePath,
        "a path of keys outside aps, such as data.picture",
        "Key or path of the note in the payload, such as data.picture; not in aps.",
        valueName: "path",
        parse: { text in (try? JSONPath(parsing: text)).flatMap { $0.isNotePath ? $0 : nil } },
        show: \.description)
    package static let manifestPerNotification: Declaration = .answer(
        "manifest-per-notification", \.manifestPerNotification,
        \.staging.manifestPerNotification,
        "Publish a manifest for every notification, under its identifier."
    )
    .explained(
        "By default all notifications with a picture share one, and only the first of them "
            + "takes time.")
    package static let inline: Declaration = {
        var option: Declaration = .choice(
            "inline", \.inline, \.staging.inline, "Put the picture itself into the payload.")
        option.discussion =
            "A still of at most 180 pixels a side, in the note's field inline. if-room: if 600 bytes are "
            + "left. always: other fields of the note give way. only: without any other rendition."
        return option
    }()
    package static let inlineChroma: Declaration = {
        var option: Declaration = .choice(
            "inline-chroma", \.inlineChroma, \.staging.inlineChroma,
            "Chroma of the picture in the payload: 420 halved, 444 full.")
        option.discussion =
            "444 is sharper in the same bytes, but no Apple device has shown yet that ImageIO decodes "
            + "it."
        return option
    }()
    package static let fetch: Declaration = .answer(
        "fetch", \.fetch, \.fetches, "Fetch pictures that URLs name.")
    package static let deadline: Declaration = .number(
        "deadline", \.deadline, \.staging.deadline.inSeconds, 0.01...3600, unit: "seconds",
        "Time limit for one notification or attachment.")
    package static let payloadLimit: Declaration = .count(
        "payload-limit", \.payloadLimit, \.staging.payloadLimit, 0...1_000_000,
        "Maximum size of a payload after the change, in bytes.", valueName: "bytes")

    private struct StyleFailure: Error {
        let reason: String
    }

    /// A slash or the ending `.json` tells a file from a path.
    @Sendable private static func style(_ text: String) -> Result<PayloadStyle, StyleFailure> {
        if let style = PayloadStyle(name: text) { return .success(style) }
        do throws(PayloadError) {
            if text.utf8.contains(UInt8(ascii: "/")) || text.hasSuffix(".json") {
                guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: text)) else {
                    return .failure(StyleFailure(reason: "The file cannot be read."))
                }
                return .success(try PayloadStyle(parsing: bytes))
            }
            // A misspelt name would otherwise be a key that no payload has.
            let names = ["auto"] + PayloadStyle.presets.map(\.name)
            if let question = NearMiss.question(for: text, among: names) {
                let remedy = "To search a key of this name, list it in a JSON file of paths."
                return .failure(StyleFailure(reason: "\(question) \(remedy)"))
            }
            return .success(.path(try JSONPath(parsing: text)))
        } catch {
            return .failure(StyleFailure(reason: "\(error.reason)."))
        }
    }
}
