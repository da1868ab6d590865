struct MediaKey {
    enum Shape {
        /// A location, or an array of locations and of objects with a location.
        case locations
        /// An object that maps identifiers to locations.
        case locationsByIdentifier
        /// Locations under the key with the numbers from 1 appended.
        case numbered
        /// Every form above, or an object with a location.
        case any
    }

    let path: JSONPath
    var type: JSONPath?
    var shape = Shape.locations

    init(_ keys: [String], type: [String]? = nil, shape: Shape = .locations) {
        path = JSONPath(keys.map(JSONPath.Step.key))
        self.type = type.map { JSONPath($0.map(JSONPath.Step.key)) }
        self.shape = shape
    }

    /// The paths of a numbered key, up to the limit of attachments; else the path alone.
    var paths: [JSONPath] {
        guard shape == .numbered, case .key(let name)? = path.steps.last else { return [path] }
        return (1...10).map { JSONPath(path.steps.dropLast() + [.key("\(name)\($0)")]) }
    }

    init(_ path: JSONPath, type: JSONPath? = nil) {
        self.path = path
        self.type = type
        shape = .any
    }
}

extension PayloadStyle {
    /// The attachment paths of the style; the first with an attachment counts.
    ///
    /// Sources of the presets: the providers' documentation (Adobe "Push notification payload keys"
    /// and "Understanding push notifications payload structure", Customer.io "Test your push
    /// implementation", Emarsys "Rich push" and "APNS payload"), and published sources of their SDKs
    /// (Airship's MediaAttachmentPayload, OneSignal's OSNotification, Expo's end-to-end tests,
    /// Klaviyo's KlaviyoExtension, MoEngage's apple-plugin tests).
    var mediaKeys: [MediaKey] {
        switch self {
        case .auto: Self.keysOfPresets
        case .path(let path): [MediaKey(path)]
        case .paths(let paths): paths.map { MediaKey($0.path, type: $0.type) }
        default: Self.presetKeys[self] ?? []
        }
    }

    private static let keysOfPresets = presets.flatMap { presetKeys[$0] ?? [] }

    private static let presetKeys: [PayloadStyle: [MediaKey]] = [
        .thimble: [MediaKey(JSONPath(keys: "thimble", "media"))],
        .fcm: [MediaKey(["fcm_options", "image"])],
        .braze: [MediaKey(["ab", "att", "url"], type: ["ab", "att", "type"])],
        .airship: [
            MediaKey(["com.urbanairship.media_attachment", "urls"]),
            MediaKey(["com.urbanairship.media_attachment", "url"]),
        ],
        .onesignal: [
            MediaKey(["os_data", "att"], shape: .locationsByIdentifier),
            MediaKey(["os_data", "buttons", "at"], shape: .locationsByIdentifier),
            MediaKey(["att"], shape: .locationsByIdentifier),
            MediaKey(["at"], shape: .locationsByIdentifier),
            MediaKey(["ios_attachments"], shape: .locationsByIdentifier),
        ],
        .expo: [
            MediaKey(["body", "_richContent", "image"]), MediaKey(["_richContent", "image"]),
            MediaKey(["richContent", "image"]),
        ],
        // Push templates: CleverTap, "Push Templates iOS", properties of its basic and carousel ones.
        .clevertap: [
            MediaKey(["ct_mediaUrl"], type: ["ct_mediaType"]), MediaKey(["pt_big_img"]),
            MediaKey(["pt_img"], shape: .numbered),
        ],
        .salesforce: [MediaKey(["_mediaUrl"])],
        .customerio: [MediaKey(["CIO", "push", "image"])],
        .adobe: [MediaKey(["adb_media"]), MediaKey(["media-attachment-url"])],
        .klaviyo: [MediaKey(["rich-media"], type: ["rich-media-type"])],
        .moengage: [
            MediaKey(["moengage", "media-attachment"], type: ["moengage", "media-type"])
        ],
        .iterable: [MediaKey(["itbl", "attachment-url"]), MediaKey(["attachment-url"])],
        .emarsys: [MediaKey(["notification", "imageUrl"]), MediaKey(["image_url"])],
        // Notifee, "Remote Notification Support"; its server kit sends the object as JSON text.
        .notifee: [
            MediaKey(["notifee_options", "image"]),
            MediaKey(["notifee_options", "ios", "attachments"]),
        ],
        // Mixpanel, "Rich push notifications" of its Swift SDK.
        .mixpanel: [MediaKey(["mp_media_url"])],
        // Kumulos SDK, KumulosHelper of its notification service extension.
        .kumulos: [MediaKey(["attachments", "pictureUrl"])],
        // Amazon Pinpoint: AWS Amplify, "Rich notifications".
        .pinpoint: [MediaKey(["data", "media-url"])],
        // Home Assistant Companion, "Standard Attachments".
        .homeassistant: [
            MediaKey(["attachment", "url"], type: ["attachment", "content-type"])
        ],
        // ntfy server, `toFirebaseMessage`: the fields of a message, as strings.
        .ntfy: [MediaKey(["attachment_url"], type: ["attachment_type"])],
        // Widespread service extensions, from tutorials on rich push (`data.attachment-url`,
        // `media-url`, `attachment_url`) and the Dengage SDK's example (`urlImageString`).
        .tutorial: [
            MediaKey(["data", "attachment-url"]), MediaKey(["media-url"]),
            MediaKey(["attachment_url"]), MediaKey(["urlImageString"]),
        ],
        .pushwoosh: [MediaKey(["attachment"])],
        .webpush: [MediaKey(["notification", "image"]), MediaKey(["image"])],
    ]
}
