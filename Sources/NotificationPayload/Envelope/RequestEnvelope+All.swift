extension RequestEnvelope {
    /// All known requests; the first whose marks are present counts.
    public static let all: [RequestEnvelope] = [
        fcm, onesignal, airship, braze, customerio, pinpoint, sns, expo, fcmLegacy, homeassistant,
        ntfy,
    ]

    private static func path(_ keys: String) -> JSONPath { JSONPath(dotted: keys) }

    private static func paths(_ keys: String...) -> [JSONPath] { keys.map(path) }

    private static let fcm = RequestEnvelope(
        name: "fcm-v1", title: "Firebase Cloud Messaging, HTTP v1",
        source: "Firebase, \"REST Resource: projects.messages\", and \"Send an image\"",
        style: .fcm,
        marks: [
            "apns", "notification", "android", "webpush", "data", "token", "topic", "condition",
        ]
        .map { [.object("message"), .any("message.\($0)")] },
        bodies: paths("message.apns.payload"), merged: paths("message.data"),
        titles: paths("message.notification.title"), texts: paths("message.notification.body"),
        pictures: [
            Picture("message.apns.fcm_options.image"), Picture("message.apns.fcmOptions.image"),
            Picture("message.notification.image", fallback: true),
            Picture("message.android.notification.image", .androidBigPicture),
            Picture("message.webpush.notification.image", .webPush),
            Picture("message.webpush.headers.image", .webPush),
            Picture("message.webpush.notification.icon", icon: .androidLargeIcon),
        ],
        counted: paths("message.apns.fcm_options", "message.notification", "message.data"),
        note: Note(object: path("message.apns.payload")))

    private static let fcmLegacy = RequestEnvelope(
        name: "fcm-legacy", title: "Firebase Cloud Messaging, legacy HTTP",
        source: "Firebase, \"Legacy HTTP Server Protocol\"", style: .fcm,
        marks: ["to", "registration_ids", "condition"].flatMap { target in
            ["notification", "data"].map { [.any(target), .object($0)] }
        },
        merged: paths("data"), titles: paths("notification.title"),
        texts: paths("notification.body"), category: path("notification.click_action"),
        mutability: .flag(path("mutable_content")),
        pictures: [
            Picture("notification.image"),
            Picture("notification.icon", icon: .androidLargeIcon),
        ],
        counted: paths("notification", "data"), note: Note(object: path("data"), isText: true))

    private static let onesignal = RequestEnvelope(
        name: "onesignal", title: "OneSignal, Create notification",
        source: "OneSignal, \"Create notification\" and \"Images & rich media\"", style: .onesignal,
        marks: [
            "contents", "headings", "template_id", "ios_attachments", "big_picture",
            "chrome_web_image",
        ].map { [.any("app_id"), .any($0)] },
        titles: paths("headings"), texts: paths("contents"), templates: paths("template_id"),
        category: path("ios_category"), mutability: .always,
        pictures: [
            Picture("ios_attachments", shape: .locationsByIdentifier),
            Picture("big_picture", .androidBigPicture),
            Picture("huawei_big_picture", .androidBigPicture),
            Picture("adm_big_picture", .androidBigPicture),
            Picture("chrome_big_picture", .androidBigPicture),
            Picture("chrome_web_image", .webPush),
            Picture("large_icon", icon: .androidLargeIcon),
            Picture("huawei_large_icon", icon: .androidLargeIcon),
            Picture("adm_large_icon", icon: .androidLargeIcon),
            Picture("chrome_web_icon", icon: .androidLargeIcon),
            Picture("firefox_icon", icon: .androidLargeIcon),
        ],
        counted: paths("headings", "subtitle", "contents", "data", "ios_attachments"),
        note: Note(object: path("data"), delivered: path("custom.a")))

    private static let airship = RequestEnvelope(
        name: "airship", title: "Airship, Push",
        source: "Airship, \"Platform overrides\"", style: .airship,
        marks: [
            [.object("notification"), .any("audience")],
            [.object("notification"), .any("device_types")],
        ],
        titles: paths("notification.ios.title", "notification.ios.alert.title"),
        texts: paths("notification.ios.alert.body", "notification.ios.alert", "notification.alert"),
        templates: paths("notification.ios.template"), category: path("notification.ios.category"),
        mutability: .flag(path("notification.ios.mutable_content")),
        pictures: [
            Picture("notification.ios.media_attachment.url"),
            Picture("notification.android.style.big_picture", .androidBigPicture),
            Picture("notification.amazon.style.big_picture", .androidBigPicture),
            Picture("notification.web.image.url", .webPush),
            Picture("notification.web.icon.url", icon: .androidLargeIcon),
        ],
        counted: paths("notification.ios", "notification.alert"),
        note: Note(object: path("notification.ios.extra"), isText: true))

    private static let braze = RequestEnvelope(
        name: "braze", title: "Braze, Send messages",
        source: "Braze, \"Apple push object\", \"Android push object\" and \"Web push object\"",
        style: .braze,
        marks: ["apple_push", "android_push", "web_push"].map { [.object("messages.\($0)")] },
        titles: paths("messages.apple_push.alert.title"),
        texts: paths("messages.apple_push.alert.body", "messages.apple_push.alert"),
        category: path("messages.apple_push.category"),
        // Set "automatically … when sending a rich notification" (Apple push object).
        mutability: .flagOrPicture(
            path("messages.apple_push.mutable_content"), path("messages.apple_push.asset_url")),
        pictures: [
            Picture(
                "messages.apple_push.asset_url", type: "messages.apple_push.asset_file_type"),
            Picture("messages.web_push.large_image_url", .webPush),
            Picture("messages.android_push.push_icon_image_url", icon: .androidLargeIcon),
            Picture("messages.web_push.image_url", icon: .androidLargeIcon),
        ],
        counted: paths(
            "messages.apple_push.alert", "messages.apple_push.extra",
            "messages.apple_push.asset_url"),
        note: Note(
            object: path("messages.apple_push.extra"), parent: path("messages.apple_push"),
            isText: true))

    private static let customerio = RequestEnvelope(
        name: "customerio", title: "Customer.io, Send a transactional push",
        source: "Customer.io, \"Set up a transactional push\" and \"Custom push payloads\"",
        style: .customerio,
        marks: [
            [.any("transactional_message_id"), .any("title")],
            [.any("transactional_message_id"), .any("message")],
            [.any("transactional_message_id"), .any("image_url")], [.object("custom_payload")],
        ],
        bodies: paths("custom_payload.ios.message.apns.payload", "custom_payload.ios"),
        titles: paths("title"), texts: paths("message"),
        templates: paths("transactional_message_id"), mutability: .always,
        pictures: [
            Picture("image_url"),
            Picture("custom_payload.android.message.notification.image", .androidBigPicture),
            Picture("custom_payload.android.message.data.image", .androidBigPicture),
        ],
        counted: paths("title", "message", "image_url"))

    private static let pinpoint: RequestEnvelope = {
        let bases = ["MessageRequest.MessageConfiguration", "MessageConfiguration"]
        let message = { (key: String) in bases.map { path("\($0).\(key)") } }
        return RequestEnvelope(
            name: "pinpoint", title: "Amazon Pinpoint, Messages",
            source: "Amazon Pinpoint API, \"Messages\"", style: .pinpoint,
            marks: bases.map { [.object($0)] }, bodies: message("APNSMessage.RawContent"),
            titles: message("APNSMessage.Title") + message("DefaultPushNotificationMessage.Title"),
            texts: message("APNSMessage.Body") + message("DefaultPushNotificationMessage.Body"),
            mutability: .always,
            pictures: bases.flatMap { base in
                [
                    Picture("\(base).APNSMessage.MediaUrl"),
                    Picture("\(base).GCMMessage.ImageUrl", .androidBigPicture),
                    Picture("\(base).ADMMessage.ImageUrl", .androidBigPicture),
                    Picture("\(base).BaiduMessage.ImageUrl", .androidBigPicture),
                    Picture("\(base).GCMMessage.ImageIconUrl", icon: .androidLargeIcon),
                ]
            },
            counted: ["Title", "Body", "MediaUrl", "Url", "Data"].flatMap {
                message("APNSMessage.\($0)")
            })
    }()

    private static let sns: RequestEnvelope = {
        // The message alone, and the parameters of Publish.
        let bases = ["", "Message."]
        let platforms = ["APNS", "APNS_SANDBOX", "APNS_VOIP", "APNS_VOIP_SANDBOX"]
        let bodies = bases.flatMap { base in platforms.map { "\(base)\($0)" } }
        return RequestEnvelope(
            name: "sns", title: "Amazon SNS, Publish",
            source: "Amazon SNS, \"Sending custom, platform-specific payloads\"",
            marks: (bodies + bases.map { "\($0)GCM" }).map { [.any($0)] }, bodies: bodies.map(path),
            pictures: bases.flatMap { base in
                let message = "\(base)GCM.fcmV1Message.message"
                return [
                    Picture("\(message).notification.image", .androidBigPicture),
                    Picture("\(message).android.notification.image", .androidBigPicture),
                    Picture("\(base)GCM.notification.image", .androidBigPicture),
                    Picture("\(base)GCM.data.image", .androidBigPicture),
                ]
            })
    }()

    private static let expo = RequestEnvelope(
        name: "expo", title: "Expo push service", source: "Expo, \"Message request format\"",
        style: .expo,
        marks: ["richContent", "title", "body", "mutableContent"].map { [.any("to"), .any($0)] },
        merged: paths("data"), titles: paths("title"), texts: paths("body"),
        category: path("categoryId"), mutability: .flag(path("mutableContent")),
        pictures: [Picture("richContent.image")],
        counted: paths("title", "subtitle", "body", "data", "richContent"),
        note: Note(object: path("data"), delivered: path("body")))

    private static let homeassistant = RequestEnvelope(
        name: "home-assistant", title: "Home Assistant, notify action",
        source: "Home Assistant Companion, \"Standard Attachments\"", style: .homeassistant,
        marks: ["data.attachment", "data.image", "data.push", "push_token"].map {
            [.string("message"), .any($0)]
        },
        titles: paths("title"), texts: paths("message"), category: path("data.push.category"),
        mutability: .always,
        pictures: [
            Picture("data.attachment.url", type: "data.attachment.content-type"),
            Picture("data.image", fallback: true),
        ],
        counted: paths("title", "message", "data"))

    private static let ntfy = RequestEnvelope(
        name: "ntfy", title: "ntfy, Publish as JSON", source: "ntfy, \"Publish as JSON\"",
        marks: [
            [.string("topic"), .string("message")], [.string("topic"), .string("attach")],
        ],
        titles: paths("title"), texts: paths("message"), mutability: .always,
        pictures: [Picture("attach"), Picture("icon", icon: .androidLargeIcon)],
        counted: paths("title", "message", "attach"))
}

extension RequestEnvelope.Picture {
    fileprivate init(
        _ path: String, _ surface: PictureSurface = .content, type: String? = nil,
        shape: MediaKey.Shape = .locations, fallback: Bool = false
    ) {
        let keys = { (path: String) in path.split(separator: ".").map(String.init) }
        self.init(
            key: MediaKey(keys(path), type: type.map(keys), shape: shape), surface: surface,
            isFallback: fallback)
    }

    fileprivate init(_ path: String, icon surface: PictureSurface) {
        self.init(path, surface)
        isOwn = false
    }
}
