/// Requests to Firebase Cloud Messaging.
extension RequestEnvelope {
    static let fcm = RequestEnvelope(
        name: "fcm-v1", title: "Firebase Cloud Messaging, HTTP v1",
        sources: [
            Source(
                "REST Resource: projects.messages",
                "https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages"),
            sendImage(
                "message.apns.payload", "message.apns.fcm_options.image",
                "message.android.notification.image", "message.webpush.headers.image",
                "message.notification.title"),
        ],
        style: .fcm,
        marks: [
            "apns", "notification", "android", "webpush", "data", "token", "topic", "condition",
        ]
        .map { [.object("message"), .any("message.\($0)")] },
        bodies: paths("message.apns.payload"), merged: paths("message.data"),
        titles: paths("message.notification.title"), texts: paths("message.notification.body"),
        pictures: pictures(ofMessage: "message"),
        counted: paths("message.apns.fcm_options", "message.notification", "message.data"),
        note: Note(object: path("message.apns.payload")))

    /// Messages of the Admin SDK for Node.js, of one or several devices.
    ///
    /// Its keys are in camel case, and it calls pictures `imageUrl`; it passes on the keys of HTTP v1.
    static let fcmAdmin = RequestEnvelope(
        name: "fcm-admin", title: "Firebase Admin SDK, messages as JSON",
        sources: [
            Source(
                "MulticastMessage interface",
                "https://firebase.google.com/docs/reference/admin/node/firebase-admin.messaging"
                    + ".multicastmessage"),
            sendImage(
                "apns.payload", "apns.fcm_options.image", "android.notification.imageUrl",
                "webpush.headers.image", "notification.title"),
        ],
        style: .fcm,
        marks: ["token", "tokens", "topic", "condition"].flatMap { target in
            ["apns", "android", "webpush"].map { [.any(target), .object($0)] }
        } + ["token", "tokens", "topic"].map { [.any($0), .object("notification")] },
        bodies: paths("apns.payload"), merged: paths("data"),
        titles: paths("notification.title"), texts: paths("notification.body"),
        mutability: .bodyOrFlag(path("apns.payload.aps.mutableContent")),
        pictures: [
            Picture("apns.fcmOptions.imageUrl"), Picture("apns.fcm_options.image"),
            Picture("notification.imageUrl", fallback: true),
            Picture("android.notification.imageUrl", .androidBigPicture),
            Picture("webpush.notification.image", .webPush),
            Picture("webpush.headers.image", .webPush),
            Picture("webpush.notification.icon", icon: .androidLargeIcon),
        ],
        counted: paths("apns.fcmOptions", "apns.fcm_options", "notification", "data"),
        note: Note(object: path("apns.payload")))

    /// The pictures of a message of HTTP v1.
    static func pictures(ofMessage message: String) -> [Picture] {
        [
            Picture("\(message).apns.fcm_options.image"),
            Picture("\(message).apns.fcmOptions.image"),
            Picture("\(message).notification.image", fallback: true),
            Picture("\(message).android.notification.image", .androidBigPicture),
            Picture("\(message).webpush.notification.image", .webPush),
            Picture("\(message).webpush.headers.image", .webPush),
            Picture("\(message).webpush.notification.icon", icon: .androidLargeIcon),
        ]
    }

    private static func sendImage(_ keys: String...) -> Source {
        Source(
            "Send an image",
            "https://firebase.google.com/docs/cloud-messaging/android/send-image", all: keys)
    }

    static let fcmLegacy = RequestEnvelope(
        name: "fcm-legacy", title: "Firebase Cloud Messaging, legacy HTTP",
        sources: [
            Source(
                "Firebase Cloud Messaging HTTP protocol",
                "https://firebase.google.com/docs/cloud-messaging/http-server-ref"),
            // Not in the protocol's documentation, but read by the SDK.
            Source(
                "MessageNotificationKeys of the Android SDK",
                "https://github.com/firebase/firebase-android-sdk", keys: "notification.image"),
        ],
        style: .fcm,
        marks: ["to", "registration_ids", "condition"].flatMap { target in
            ["notification", "data"].map { [.any(target), .object($0)] }
        },
        merged: paths("data"), titles: paths("notification.title"),
        texts: paths("notification.body"), categories: paths("notification.click_action"),
        mutability: .flag(path("mutable_content")),
        pictures: [
            Picture("notification.image"),
            Picture("notification.icon", icon: .androidLargeIcon),
        ],
        counted: paths("notification", "data"), note: Note(object: path("data"), isText: true))
}
