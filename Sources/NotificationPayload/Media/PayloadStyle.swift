/// Whose keys name the attachments of a payload.
public enum PayloadStyle: Sendable, Hashable {
    /// Whichever names an attachment first, in the order of ``presets``.
    case auto
    /// Our own: `thimble.media`.
    case thimble
    /// Firebase Cloud Messaging: `fcm_options.image`.
    case fcm
    /// Braze: `ab.att.url`, with the file extension in `ab.att.type`.
    case braze
    /// Airship: `com.urbanairship.media_attachment`, with objects of `url` and `url_id` in `urls`,
    /// or a text or an array of texts in `url`.
    case airship
    /// OneSignal: identifiers and locations in `os_data.att`, in `att`, in the forms for devices
    /// that are not told apart (`os_data.buttons.at`, `at`), or in the API's `ios_attachments`.
    case onesignal
    /// Expo: `body._richContent.image` as it is delivered, `_richContent.image`, or
    /// `richContent.image` as it is sent.
    case expo
    /// CleverTap: `ct_mediaUrl`, with a kind such as `image` in `ct_mediaType`.
    case clevertap
    /// Salesforce Marketing Cloud: `_mediaUrl`; the text of `_mediaAlt` is shown where it fails.
    case salesforce
    /// Iterable: `itbl.attachment-url`, or `attachment-url` at the top, as many others have it.
    case iterable
    /// Pushwoosh: `attachment`.
    case pushwoosh
    /// The caller's own: a text, an object of identifiers and texts, an object with a `url`, or an
    /// array of texts and such objects.
    case path(JSONPath)

    /// The styles of SDKs, in the order in which ``auto`` tries them: those whose keys nobody else
    /// would use come first, and the most general key last.
    public static let presets: [PayloadStyle] = [
        .thimble, .fcm, .braze, .airship, .onesignal, .expo, .clevertap, .salesforce, .iterable,
        .pushwoosh,
    ]

    /// The style with a name; nil when there is none.
    ///
    /// - Parameter name: `auto`, or the name of one of the ``presets``.
    public init?(name: String) {
        guard let style = ([.auto] + Self.presets).first(where: { $0.name == name }) else {
            return nil
        }
        self = style
    }

    /// The name on a command line; for a path, the path.
    public var name: String {
        switch self {
        case .auto: "auto"
        case .thimble: "thimble"
        case .fcm: "fcm"
        case .braze: "braze"
        case .airship: "airship"
        case .onesignal: "onesignal"
        case .expo: "expo"
        case .clevertap: "clevertap"
        case .salesforce: "salesforce"
        case .iterable: "iterable"
        case .pushwoosh: "pushwoosh"
        case .path(let path): path.description
        }
    }
}
