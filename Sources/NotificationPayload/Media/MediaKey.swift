struct MediaKey {
    enum Shape {
        /// A location, or an array of locations and of objects with a location.
        case locations
        /// An object that maps identifiers to locations.
        case locationsByIdentifier
        /// All of these, and an object with a location.
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

    init(_ path: JSONPath) {
        self.path = path
        shape = .any
    }
}

extension PayloadStyle {
    /// The attachment paths of the style; the first with an attachment counts.
    ///
    /// Sources: documentation and published sources of the SDKs (Airship's MediaAttachmentPayload,
    /// OneSignal's OSNotification, Expo's end-to-end tests).
    var mediaKeys: [MediaKey] {
        switch self {
        case .auto: Self.presets.flatMap(\.mediaKeys)
        case .thimble: [MediaKey(JSONPath(keys: "thimble", "media"))]
        case .fcm: [MediaKey(["fcm_options", "image"])]
        case .braze: [MediaKey(["ab", "att", "url"], type: ["ab", "att", "type"])]
        case .airship:
            [
                MediaKey(["com.urbanairship.media_attachment", "urls"]),
                MediaKey(["com.urbanairship.media_attachment", "url"]),
            ]
        case .onesignal:
            [
                MediaKey(["os_data", "att"], shape: .locationsByIdentifier),
                MediaKey(["os_data", "buttons", "at"], shape: .locationsByIdentifier),
                MediaKey(["att"], shape: .locationsByIdentifier),
                MediaKey(["at"], shape: .locationsByIdentifier),
                MediaKey(["ios_attachments"], shape: .locationsByIdentifier),
            ]
        case .expo:
            [
                MediaKey(["body", "_richContent", "image"]),
                MediaKey(["_richContent", "image"]), MediaKey(["richContent", "image"]),
            ]
        case .clevertap: [MediaKey(["ct_mediaUrl"], type: ["ct_mediaType"])]
        case .salesforce: [MediaKey(["_mediaUrl"])]
        case .iterable: [MediaKey(["itbl", "attachment-url"]), MediaKey(["attachment-url"])]
        case .pushwoosh: [MediaKey(["attachment"])]
        case .path(let path): [MediaKey(path)]
        }
    }
}
