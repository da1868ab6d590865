/// Requests to Amazon Web Services.
extension RequestEnvelope {
    static let pinpoint: RequestEnvelope = {
        let bases = ["MessageRequest.MessageConfiguration", "MessageConfiguration"]
        let message = { (key: String) in bases.map { path("\($0).\(key)") } }
        return RequestEnvelope(
            name: "pinpoint", title: "Amazon Pinpoint, Messages",
            sources: [
                Source(
                    "Messages",
                    "https://docs.aws.amazon.com/pinpoint/latest/apireference/"
                        + "apps-application-id-messages.html")
            ],
            style: .pinpoint,
            marks: bases.map { [.object($0)] }, bodies: message("APNSMessage.RawContent"),
            titles: message("APNSMessage.Title") + message("DefaultPushNotificationMessage.Title"),
            texts: message("APNSMessage.Body") + message("DefaultPushNotificationMessage.Body"),
            categories: message("APNSMessage.Category"), mutability: .always,
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

    static let sns: RequestEnvelope = {
        // The message alone, and the parameters of Publish.
        let bases = ["", "Message."]
        let platforms = ["APNS", "APNS_SANDBOX", "APNS_VOIP", "APNS_VOIP_SANDBOX"]
        let bodies = bases.flatMap { base in platforms.map { "\(base)\($0)" } }
        let messages = bases.map { "\($0)GCM.fcmV1Message.message" }
        let guide =
            "https://docs.aws.amazon.com/sns/latest/dg/"
            + "sns-send-custom-platform-specific-payloads-mobile-devices.html"
        return RequestEnvelope(
            name: "sns", title: "Amazon SNS, Publish",
            sources: [
                Source("Publishing notifications with platform-specific payloads", guide),
                Source(
                    "Using Firebase Cloud Messaging v1 payloads",
                    "https://docs.aws.amazon.com/sns/latest/dg/sns-fcm-v1-payloads.html",
                    all: messages),
            ],
            marks: (bodies + bases.map { "\($0)GCM" }).map { [.any($0)] },
            // Firebase sends to Apple devices too.
            bodies: (bodies + messages.map { "\($0).apns.payload" }).map(path),
            titles: messages.map { path("\($0).notification.title") },
            texts: messages.map { path("\($0).notification.body") },
            pictures: messages.flatMap(pictures(ofMessage:))
                + bases.flatMap { base in
                    [
                        Picture("\(base)GCM.notification.image", .androidBigPicture),
                        Picture("\(base)GCM.data.image", .androidBigPicture),
                    ]
                })
    }()
}
