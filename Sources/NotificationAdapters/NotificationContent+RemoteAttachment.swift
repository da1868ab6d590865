#if canImport(UserNotifications)
    import Foundation
    import NotificationPayload

    extension NotificationContent {
        /// The URL of the first remote attachment; nil without one.
        ///
        /// The sender of a push cannot know paths on this device, so they are ignored.
        var remoteAttachment: URL? {
            attachments.lazy.filter { $0.kind == .remoteURL }
                .compactMap { URL(string: $0.location) }.first
        }
    }
#endif
