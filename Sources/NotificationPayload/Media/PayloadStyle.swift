/// The push service whose keys name a payload's attachments.
public enum PayloadStyle: Sendable, Hashable {
    /// The first style in ``presets`` with an attachment.
    case auto
    /// Thimble: `thimble.media`.
    case thimble
    /// Firebase Cloud Messaging: `fcm_options.image`.
    case fcm
    /// Braze: `ab.att.url`, with the file extension in `ab.att.type`.
    case braze
    /// Airship: `com.urbanairship.media_attachment`, with objects of `url` and `url_id` in `urls`,
    /// or a string or an array of strings in `url`.
    case airship
    /// OneSignal: identifiers and locations in `os_data.att` or `att`, in the cross-device forms
    /// (`os_data.buttons.at`, `at`), or in the API's `ios_attachments`.
    case onesignal
    /// Expo: `body._richContent.image` as delivered, `_richContent.image`, or `richContent.image` as
    /// sent.
    case expo
    /// CleverTap: `ct_mediaUrl`, with a kind such as `image` in `ct_mediaType`.
    case clevertap
    /// Salesforce Marketing Cloud: `_mediaUrl`. The text of `_mediaAlt` is the fallback.
    case salesforce
    /// Iterable: `itbl.attachment-url`, or the widespread `attachment-url` at the top level.
    case iterable
    /// Pushwoosh: `attachment`.
    case pushwoosh
    /// A custom path to a string, an object of identifiers and strings, an object with a `url`, or an
    /// array of strings and such objects.
    case path(JSONPath)

    /// The styles of SDKs, in the order in which ``auto`` tries them: distinctive keys first, the
    /// most general key last.
    public static let presets: [PayloadStyle] = [
        .thimble, .fcm, .braze, .airship, .onesignal, .expo, .clevertap, .salesforce, .iterable,
        .pushwoosh,
    ]

    /// Creates the style with a name; nil if unknown.
    ///
    /// - Parameter name: `auto`, or the name of one of the ``presets``.
    public init?(name: String) {
        guard let style = ([.auto] + Self.presets).first(where: { $0.name == name }) else {
            return nil
        }
        self = style
    }

    /// The name on a command line; for ``path(_:)``, the path.
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
