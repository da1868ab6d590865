#if canImport(UserNotifications)
    import Foundation
    import NotificationPayload

    extension NotificationContent {
        /// Where the first attachment that lies on a server is; nil when there is none.
        ///
        /// A path of this device that comes with a push is none that its sender can know.
        var remoteAttachment: URL? {
            attachments.lazy.filter { $0.kind == .remoteURL }
                .compactMap { URL(string: $0.location) }.first
        }
    }
#endif
