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
    /// CleverTap: `ct_mediaUrl`, with a kind such as `image` in `ct_mediaType`; push templates'
    /// `pt_big_img`, and `pt_img1`, `pt_img2` and so on.
    case clevertap
    /// Salesforce Marketing Cloud: `_mediaUrl`. The text of `_mediaAlt` is the fallback.
    case salesforce
    /// Customer.io: `CIO.push.image`.
    case customerio
    /// Adobe: `adb_media` (Journey Optimizer), or `media-attachment-url` (Campaign Standard).
    case adobe
    /// Klaviyo: `rich-media`, with the file extension in `rich-media-type`.
    case klaviyo
    /// MoEngage: `moengage.media-attachment`, with a kind such as `image` in `moengage.media-type`.
    case moengage
    /// Iterable: `itbl.attachment-url`, or the widespread `attachment-url` at the top level.
    case iterable
    /// Emarsys: `notification.imageUrl` (APNS_V2), or `image_url`.
    case emarsys
    /// Notifee: `notifee_options.image`, or the objects in `notifee_options.ios.attachments`; the
    /// options may be JSON text.
    case notifee
    /// Mixpanel: `mp_media_url`.
    case mixpanel
    /// Kumulos: `attachments.pictureUrl`.
    case kumulos
    /// Amazon Pinpoint: `data.media-url`.
    case pinpoint
    /// Home Assistant: `attachment.url`, with the file extension in `attachment.content-type`.
    case homeassistant
    /// ntfy: `attachment_url`, with the media type in `attachment_type`.
    case ntfy
    /// Tutorials: `data.attachment-url`, `media-url`, `attachment_url` or `urlImageString`.
    case tutorial
    /// Pushwoosh: `attachment`.
    case pushwoosh
    /// Web notifications: `notification.image`, or `image` at the top level.
    case webpush
    /// A custom path to a string, an object of identifiers and strings, an object with a `url`, or an
    /// array of strings and such objects.
    case path(JSONPath)
    /// Custom paths with optional type hints, tried in order.
    case paths([MediaPath])

    /// The styles of SDKs, in the order in which ``auto`` tries them: distinctive keys first, the
    /// most general key last.
    public static let presets: [PayloadStyle] = [
        .thimble, .fcm, .braze, .airship, .onesignal, .expo, .clevertap, .salesforce, .customerio,
        .adobe, .klaviyo, .moengage, .iterable, .emarsys, .notifee, .mixpanel, .kumulos,
        .pinpoint, .homeassistant, .ntfy, .tutorial, .pushwoosh, .webpush,
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

    /// The name on a command line; for custom paths, the paths.
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
        case .customerio: "customerio"
        case .adobe: "adobe"
        case .klaviyo: "klaviyo"
        case .moengage: "moengage"
        case .iterable: "iterable"
        case .emarsys: "emarsys"
        case .notifee: "notifee"
        case .mixpanel: "mixpanel"
        case .kumulos: "kumulos"
        case .pinpoint: "pinpoint"
        case .homeassistant: "homeassistant"
        case .ntfy: "ntfy"
        case .tutorial: "tutorial"
        case .pushwoosh: "pushwoosh"
        case .webpush: "webpush"
        case .path(let path): path.description
        case .paths(let paths): paths.map(\.path.description).joined(separator: ", ")
        }
    }
}
