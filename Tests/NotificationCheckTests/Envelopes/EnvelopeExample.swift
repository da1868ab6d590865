import Foundation

/// A provider's request, from an example of its documentation.
struct EnvelopeExample: Sendable {
    let name: String
    /// The request, with a picture, an alert and `mutable-content` where it can set it.
    let text: String

    /// The picture of all examples.
    static let location = "https://e.com/picture.webp"

    /// One example of each request, in the order of `RequestEnvelope.all`.
    static let all = [
        // Firebase, "Send an image in the notification payload".
        EnvelopeExample(
            name: "fcm-v1",
            text: #"""
                {"message":{"topic":"industry-tech","notification":{"title":"Sparky says hello!"},
                 "android":{"notification":{"image":"https://e.com/picture.webp"}},
                 "apns":{"payload":{"aps":{"category":"photo","mutable-content":1}},
                  "fcm_options":{"image":"https://e.com/picture.webp"}},
                 "webpush":{"headers":{"image":"https://e.com/picture.webp"}}}}
                """#),
        // Firebase Admin SDK, "Send an image in the notification payload", to several devices.
        EnvelopeExample(
            name: "fcm-admin",
            text: #"""
                {"tokens":["YOUR_REGISTRATION_TOKEN_1","YOUR_REGISTRATION_TOKEN_2"],
                 "notification":{"title":"Sparky says hello!"},
                 "android":{"notification":{"imageUrl":"https://e.com/picture.webp"}},
                 "apns":{"payload":{"aps":{"category":"photo","mutableContent":true}},
                  "fcm_options":{"image":"https://e.com/picture.webp"}},
                 "webpush":{"headers":{"image":"https://e.com/picture.webp"}}}
                """#),
        // OneSignal, "Create notification".
        EnvelopeExample(
            name: "onesignal",
            text: #"""
                {"app_id":"5eb5a37e-b458-11e3-ac11-000c2940e62c","included_segments":["Active"],
                 "headings":{"en":"Hi","de":"Hallo"},"contents":{"en":"English message"},
                 "ios_category":"photo","data":{"foo":"bar"},
                 "ios_attachments":{"id1":"https://e.com/picture.webp"},
                 "big_picture":"https://e.com/picture.webp",
                 "huawei_big_picture":"https://e.com/picture.webp",
                 "chrome_web_image":"https://e.com/picture.webp","large_icon":"ic_launcher"}
                """#),
        // Airship, iOS notification payload with a media attachment.
        EnvelopeExample(
            name: "airship",
            text: #"""
                {"audience":{"ios_channel":"50614f67-498b-49df-b832-a046de0ec6ec"},
                 "device_types":["ios","android"],"notification":{"ios":{"alert":"alert",
                  "title":"title","category":"photo","mutable_content":true,"media_attachment":{
                   "url":"https://e.com/picture.webp","options":{"time":10}}},
                  "android":{"style":{"type":"big_picture","big_picture":"https://e.com/picture.webp"}}}}
                """#),
        // Braze, "Apple push object" and "Web push object".
        EnvelopeExample(
            name: "braze",
            text: #"""
                {"external_user_ids":["user1"],"messages":{"apple_push":{
                  "alert":{"title":"Hi","body":"There"},"category":"photo","mutable_content":true,
                  "asset_url":"https://e.com/picture.webp","asset_file_type":"webp"},
                 "web_push":{"alert":"There","title":"Hi","image_url":"https://e.com/icon.png",
                  "large_image_url":"https://e.com/picture.webp"}}}
                """#),
        // Customer.io, "Set up a transactional push".
        EnvelopeExample(
            name: "customerio",
            text: #"""
                {"transactional_message_id":"receipt","to":"all","identifiers":{"id":"12345"},
                 "title":"Hi","message":"There","image_url":"https://e.com/picture.webp"}
                """#),
        // Amazon Pinpoint API, "Messages".
        EnvelopeExample(
            name: "pinpoint",
            text: #"""
                {"Addresses":{"token":{"ChannelType":"APNS"}},"MessageConfiguration":{
                  "APNSMessage":{"Title":"Hi","Body":"There","Category":"photo","MediaUrl":"https://e.com/picture.webp"},
                  "GCMMessage":{"Title":"Hi","ImageUrl":"https://e.com/picture.webp"}}}
                """#),
        // Amazon SNS, "Sending custom, platform-specific payloads".
        EnvelopeExample(
            name: "sns",
            text: #"""
                {"default":"Hi","APNS":"{\"aps\":{\"alert\":\"Hi\",\"category\":\"photo\",\"mutable-content\":1},\"media-url\":\"https:\/\/e.com\/picture.webp\",\"caf\\u00e9\":\"\u00e9\"}",
                 "GCM":"{\"notification\":{\"body\":\"Hi\",\"image\":\"https://e.com/picture.webp\"}}"}
                """#),
        // Expo, "Message request format".
        EnvelopeExample(
            name: "expo",
            text: #"""
                {"to":"ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]","title":"Hi","body":"There",
                 "categoryId":"photo","mutableContent":true,"data":{"a":1},
                 "richContent":{"image":"https://e.com/picture.webp"}}
                """#),
        // Firebase, "Legacy HTTP Server Protocol".
        EnvelopeExample(
            name: "fcm-legacy",
            text: #"""
                {"to":"bk3RNwTe3H0:CI2k_HHwgIpoDKCIZvvDMExUdFQ3P1","mutable_content":true,
                 "notification":{"title":"Hi","body":"There","click_action":"photo",
                  "image":"https://e.com/picture.webp"},"data":{"Nick":"Mario"}}
                """#),
        // Home Assistant Companion, "Standard Attachments".
        EnvelopeExample(
            name: "home-assistant",
            text: #"""
                {"title":"Motion","message":"Car pulled into driveway","data":{"push":{
                  "category":"photo"},"attachment":{"url":"https://e.com/picture.webp",
                  "content-type":"webp","hide-thumbnail":false}}}
                """#),
        // ntfy, "Publish as JSON".
        EnvelopeExample(
            name: "ntfy",
            text: #"""
                {"topic":"mytopic","message":"Disk space is low at 5.1 GB","title":"Low disk space",
                 "tags":["warning"],"priority":4,"attach":"https://e.com/picture.webp",
                 "filename":"diskspace.jpg"}
                """#),
    ]

    /// Amazon SNS, "Using Firebase Cloud Messaging v1 payloads", for Apple devices.
    static let snsFirebase = EnvelopeExample(
        name: "sns",
        text: #"""
            {"GCM":"{\"fcmV1Message\":{\"message\":{\"notification\":{\"title\":\"Hi\"},\"apns\":{\"payload\":{\"aps\":{\"mutable-content\":1}},\"fcm_options\":{\"image\":\"https://e.com/picture.webp\"}}}}}"}
            """#)

    /// Azure Notification Hubs sends native formats: an APNs payload, or a message of FCM v1.
    static let azure = [
        #"{"aps":{"alert":"Hi","mutable-content":1},"media-url":"https://e.com/picture.webp"}"#,
        #"""
        {"message":{"notification":{"title":"Hi","body":"There"},"data":{"property1":"value1"},
         "android":{"notification":{"image":"https://e.com/picture.webp"}}}}
        """#,
    ]

    /// The request after a change of its JSON value.
    func changed(_ path: String, to value: Any?) throws -> String {
        let keys = path.split(separator: ".").map(String.init)
        return try Self.text(Self.setting(keys[...], of: Self.value(text), to: value))
    }

    static func value(_ text: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    static func text(_ value: Any) throws -> String {
        String(
            decoding: try JSONSerialization.data(
                withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes]),
            as: UTF8.self)
    }

    /// Sets a value in objects, and in strings that contain objects.
    private static func setting(
        _ keys: ArraySlice<String>, of container: Any?, to value: Any?
    ) throws -> Any {
        if let text = container as? String, let inner = try? Self.value(text) {
            return try Self.text(setting(keys, of: inner, to: value))
        }
        var object = container as? [String: Any] ?? [:]
        guard let key = keys.first else { return object }
        if keys.count == 1 {
            object[key] = value
        } else if value != nil || object[key] != nil {
            object[key] = try setting(keys.dropFirst(), of: object[key], to: value)
        }
        return object
    }
}
