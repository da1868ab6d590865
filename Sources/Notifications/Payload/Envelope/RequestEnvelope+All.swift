extension RequestEnvelope {
    /// All known requests; the first whose marks are present counts.
    public static let all: [RequestEnvelope] = [
        fcm, fcmAdmin, onesignal, airship, braze, customerio, pinpoint, sns, expo, fcmLegacy,
        homeassistant,
        ntfy,
    ]

    static func path(_ keys: String) -> JSONPath { JSONPath(dotted: keys) }

    static func paths(_ keys: String...) -> [JSONPath] { keys.map(path) }

    private static let onesignal = RequestEnvelope(
        name: "onesignal", title: "OneSignal, Create notification",
        sources: [
            Source(
                "Create message", "https://documentation.onesignal.com/reference/create-message"),
            Source(
                "Images & rich media", "https://documentation.onesignal.com/docs/rich-media",
                keys: "ios_attachments", "big_picture"),
            Source(
                "BasicNotificationAllOf",
                "https://www.rubydoc.info/gems/onesignal/OneSignal/BasicNotificationAllOf",
                keys: "huawei_big_picture", "adm_big_picture", "chrome_big_picture",
                "chrome_web_image", "large_icon", "huawei_large_icon", "adm_large_icon",
                "chrome_web_icon", "firefox_icon"),
        ],
        style: .onesignal,
        marks: [
            "contents", "headings", "template_id", "ios_attachments", "big_picture",
            "chrome_web_image",
        ].map { [.any("app_id"), .any($0)] },
        titles: paths("headings"), texts: paths("contents"), templates: paths("template_id"),
        categories: paths("ios_category"), mutability: .always,
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
        sources: [
            Source(
                "Platform overrides",
                "https://docs.airship.com/developer/rest-api/ua/schemas/platform-overrides")
        ],
        style: .airship,
        marks: [
            [.object("notification"), .any("audience")],
            [.object("notification"), .any("device_types")],
        ],
        titles: paths("notification.ios.title", "notification.ios.alert.title"),
        texts: paths("notification.ios.alert.body", "notification.ios.alert", "notification.alert"),
        templates: paths("notification.ios.template"),
        categories: paths("notification.ios.category"),
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
        sources: [
            Source(
                "Apple push object",
                "https://www.braze.com/docs/api/objects_filters/messaging/apple_object"),
            Source(
                "Android push object",
                "https://www.braze.com/docs/api/objects_filters/messaging/android_object",
                keys: "messages.android_push"),
            Source(
                "Web push object",
                "https://www.braze.com/docs/api/objects_filters/messaging/web_objects",
                keys: "messages.web_push"),
        ],
        style: .braze,
        marks: ["apple_push", "android_push", "web_push"].map { [.object("messages.\($0)")] },
        titles: paths("messages.apple_push.alert.title"),
        texts: paths("messages.apple_push.alert.body", "messages.apple_push.alert"),
        categories: paths("messages.apple_push.category"),
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
        sources: [
            Source(
                "Set up a transactional push",
                "https://docs.customer.io/journeys/transactional-push"),
            Source(
                "Custom push payloads",
                "https://docs.customer.io/journeys/channels/push/custom-payloads",
                keys: "custom_payload"),
        ],
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

    private static let expo = RequestEnvelope(
        name: "expo", title: "Expo push service",
        sources: [
            Source(
                "Message request format",
                "https://docs.expo.dev/push-notifications/sending-notifications/#message-request-format"
            )
        ],
        style: .expo,
        marks: ["richContent", "title", "body", "mutableContent"].map { [.any("to"), .any($0)] },
        merged: paths("data"), titles: paths("title"), texts: paths("body"),
        categories: paths("categoryId"), mutability: .flag(path("mutableContent")),
        pictures: [Picture("richContent.image")],
        counted: paths("title", "subtitle", "body", "data", "richContent"),
        note: Note(object: path("data"), delivered: path("body")))

    private static let homeassistant = RequestEnvelope(
        name: "home-assistant", title: "Home Assistant, notify action",
        sources: [
            Source(
                "Standard Attachments",
                "https://companion.home-assistant.io/docs/notifications/notification-attachments")
        ], style: .homeassistant,
        marks: ["data.attachment", "data.image", "data.push", "push_token"].map {
            [.string("message"), .any($0)]
        },
        titles: paths("title"), texts: paths("message"), categories: paths("data.push.category"),
        mutability: .always,
        pictures: [
            Picture("data.attachment.url", type: "data.attachment.content-type"),
            Picture("data.image", fallback: true),
        ],
        counted: paths("title", "message", "data"))

    private static let ntfy = RequestEnvelope(
        name: "ntfy", title: "ntfy, Publish as JSON",
        sources: [
            Source("Publish as JSON", "https://docs.ntfy.sh/publish/#publish-as-json")
        ],
        marks: [
            [.string("topic"), .string("message")], [.string("topic"), .string("attach")],
        ],
        titles: paths("title"), texts: paths("message"), mutability: .always,
        pictures: [Picture("attach"), Picture("icon", icon: .androidLargeIcon)],
        counted: paths("title", "message", "attach"))
}

extension RequestEnvelope.Picture {
    init(
        _ path: String, _ surface: PictureSurface = .content, type: String? = nil,
        shape: MediaKey.Shape = .locations, fallback: Bool = false
    ) {
        let keys = { (path: String) in path.split(separator: ".").map(String.init) }
        self.init(
            key: MediaKey(keys(path), type: type.map(keys), shape: shape), surface: surface,
            isFallback: fallback)
    }

    init(_ path: String, icon surface: PictureSurface) {
        self.init(path, surface)
        isOwn = false
    }
}
