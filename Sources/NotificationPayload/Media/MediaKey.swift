/// A place where a style names attachments.
struct MediaKey {
    /// What stands at the place.
    enum Shape {
        /// A location, or an array of locations and of objects that have one.
        case locations
        /// An object with identifiers as keys and locations as values.
        case locationsByIdentifier
        /// Any of them, and an object that has a location.
        case any
    }

    /// Where the location, or what holds it, stands.
    let path: JSONPath
    /// Where the type is said, for a place that says it elsewhere.
    var type: JSONPath?
    /// What stands at the place.
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
    /// Where the style names attachments; the first place that names one counts.
    ///
    /// Read from the documentation and the published sources of the SDKs: Airship's
    /// MediaAttachmentPayload, OneSignal's OSNotification, Expo's end-to-end tests.
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
