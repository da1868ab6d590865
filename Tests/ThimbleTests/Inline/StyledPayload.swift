import Foundation
import NotificationPayload

/// A payload of an SDK, with a picture under its key.
struct StyledPayload: Sendable {
    /// Members beside `aps`; PICTURE stands for the location.
    let members: String

    init(_ members: String) { self.members = members }

    func document(_ picture: URL, alert: String = "New") throws -> JSONDocument {
        let text = #"{"aps":{"alert":"\#(alert)","mutable-content":1},\#(members)}"#
        return try JSONDocument(
            parsing: text.replacingOccurrences(of: "PICTURE", with: picture.path).utf8)
    }

    /// One of each style.
    static let all: [PayloadStyle: StyledPayload] = [
        .thimble: StyledPayload(#""thimble":{"media":"PICTURE"}"#),
        .fcm: StyledPayload(#""fcm_options":{"image":"PICTURE"}"#),
        .braze: StyledPayload(#""ab":{"att":{"url":"PICTURE","type":"jpg"}}"#),
        .airship: StyledPayload(#""com.urbanairship.media_attachment":{"url":"PICTURE"}"#),
        .onesignal: StyledPayload(#""custom":{"i":"7"},"att":{"id":"PICTURE"}"#),
        .expo: StyledPayload(#""body":{"_richContent":{"image":"PICTURE"}}"#),
        .clevertap: StyledPayload(#""ct_mediaType":"image","ct_mediaUrl":"PICTURE""#),
        .salesforce: StyledPayload(#""_mediaUrl":"PICTURE""#),
        .customerio: StyledPayload(#""CIO":{"push":{"image":"PICTURE"}}"#),
        .adobe: StyledPayload(#""adb_media":"PICTURE""#),
        .klaviyo: StyledPayload(#""rich-media":"PICTURE","rich-media-type":"jpg""#),
        .moengage: StyledPayload(
            #""moengage":{"media-type":"image","media-attachment":"PICTURE"}"#),
        .iterable: StyledPayload(#""itbl":{"attachment-url":"PICTURE"}"#),
        .emarsys: StyledPayload(
            #""ems":{"version":"APNS_V2"},"notification":{"imageUrl":"PICTURE"}"#),
        .notifee: StyledPayload(#""notifee_options":{"image":"PICTURE"}"#),
        .mixpanel: StyledPayload(#""mp_media_url":"PICTURE""#),
        .kumulos: StyledPayload(#""attachments":{"pictureUrl":"PICTURE"}"#),
        .pinpoint: StyledPayload(#""data":{"media-url":"PICTURE"}"#),
        .homeassistant: StyledPayload(
            #""attachment":{"url":"PICTURE","content-type":"jpg"}"#),
        .ntfy: StyledPayload(#""attachment_url":"PICTURE","attachment_type":"image/jpeg""#),
        .tutorial: StyledPayload(#""data":{"attachment-url":"PICTURE"}"#),
        .pushwoosh: StyledPayload(#""attachment":"PICTURE""#),
        .webpush: StyledPayload(#""notification":{"image":"PICTURE"}"#),
    ]
}

/// A request to a push provider, and what the provider makes of it for APNs.
struct ProviderRequest: Sendable {
    let name: String
    /// The request; PICTURE stands for the location.
    let text: String
    /// Objects of the request whose members the provider delivers at the top level.
    var merged: [String] = []
    /// An object of the request, and the keys under which the provider delivers it.
    var moved: (from: String, to: [String])?
    /// True if the first of these keys has JSON text.
    var isText = false

    func document(_ picture: URL) throws -> JSONDocument {
        try JSONDocument(
            parsing: text.replacingOccurrences(of: "PICTURE", with: picture.path).utf8)
    }

    /// The notification's `userInfo` on a device.
    func userInfo(_ request: APNsPayload) throws -> [AnyHashable: Any] {
        let root = try JSONSerialization.jsonObject(with: Data(request.bytes))
        var delivered: [String: Any] = ["aps": ["alert": "New"]]
        for path in merged {
            delivered.merge(try Self.object(at: path, in: root)) { $1 }
        }
        guard let (from, to) = moved else { return delivered }
        var value: Any = try Self.object(at: from, in: root)
        for key in to.dropFirst().reversed() { value = ["i": "7", key: value] }
        if isText {
            value = String(
                decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
        }
        delivered[to[0]] = value
        return delivered
    }

    /// The object at a path, also in JSON text; empty without one.
    private static func object(at path: String, in root: Any) throws -> [String: Any] {
        var value: Any? = root
        for key in path.split(separator: ".") {
            value = (value as? [String: Any])?[String(key)]
            if let text = value as? String {
                value = try JSONSerialization.jsonObject(with: Data(text.utf8))
            }
        }
        return value as? [String: Any] ?? [:]
    }

    /// Requests of every provider that has a place for a note.
    static let all = [
        ProviderRequest(
            name: "fcm-v1",
            text: #"{"message":{"token":"t","notification":{"title":"a","image":"PICTURE"}}}"#,
            merged: ["message.data", "message.apns.payload"]),
        ProviderRequest(
            name: "fcm-v1, data message",
            text: #"{"message":{"token":"t","data":{"k":"v"},"apns":{"payload":{"aps":{}},"#
                + #""fcm_options":{"image":"PICTURE"}}}}"#,
            merged: ["message.data", "message.apns.payload"]),
        ProviderRequest(
            name: "fcm-admin",
            text:
                #"{"token":"t","apns":{"payload":{"aps":{}},"fcmOptions":{"imageUrl":"PICTURE"}}}"#,
            merged: ["apns.payload"]),
        ProviderRequest(
            name: "fcm-legacy",
            text: #"{"to":"t","notification":{"title":"a","image":"PICTURE"},"data":{"k":"v"}}"#,
            merged: ["data"]),
        ProviderRequest(
            name: "onesignal",
            text: #"{"app_id":"a","contents":{"en":"x"},"ios_attachments":{"id":"PICTURE"}}"#,
            moved: ("data", ["custom", "a"])),
        ProviderRequest(
            name: "onesignal, text",
            text: #"{"app_id":"a","contents":{"en":"x"},"ios_attachments":{"id":"PICTURE"}}"#,
            moved: ("data", ["custom", "a"]), isText: true),
        ProviderRequest(
            name: "expo", text: #"{"to":"t","title":"a","richContent":{"image":"PICTURE"}}"#,
            moved: ("data", ["body"])),
        ProviderRequest(
            name: "expo, text",
            text: #"{"to":"t","title":"a","richContent":{"image":"PICTURE"}}"#,
            moved: ("data", ["body"]), isText: true),
        ProviderRequest(
            name: "airship",
            text: #"{"audience":"all","notification":{"alert":"x","ios":{"media_attachment":"#
                + #"{"url":"PICTURE"}}}}"#,
            merged: ["notification.ios.extra"]),
        ProviderRequest(
            name: "braze",
            text: #"{"messages":{"apple_push":{"alert":"x","asset_url":"PICTURE"}}}"#,
            merged: ["messages.apple_push.extra"]),
        ProviderRequest(
            name: "customerio",
            text: #"{"custom_payload":{"ios":{"message":{"apns":{"payload":{"aps":{}}}}}},"#
                + #""image_url":"PICTURE"}"#,
            merged: ["custom_payload.ios.message.apns.payload"]),
        ProviderRequest(
            name: "pinpoint",
            text: #"{"MessageConfiguration":{"APNSMessage":{"MediaUrl":"PICTURE","#
                + #""RawContent":"{\"aps\":{}}"}}}"#,
            merged: ["MessageConfiguration.APNSMessage.RawContent"]),
        ProviderRequest(
            name: "sns",
            text: #"{"APNS":"{\"aps\":{},\"fcm_options\":{\"image\":\"PICTURE\"}}"}"#,
            merged: ["APNS"]),
    ]
}
