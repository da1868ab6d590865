#if canImport(UserNotifications)
    import Foundation
    public import NotificationPayload
    public import UserNotifications

    extension NotificationContent {
        /// Takes over a notification of the system's.
        ///
        /// Texts are taken as the system shows them. It does not tell the name of a sound: that is
        /// read from the payload, and for a local notification it is the default one.
        ///
        /// - Parameters:
        ///   - content: The notification. The payload of a remote one is its `userInfo`.
        ///   - identifier: The notification's identifier, which is its request's.
        ///   - style: Where the payload names attachments. The default is to look everywhere.
        public init(
            _ content: UNNotificationContent, identifier: String, style: PayloadStyle = .auto
        ) {
            let payload = Self.payload(content.userInfo)
            self =
                payload?.content(identifier: identifier, style: style)
                ?? NotificationContent(identifier: identifier)
            categoryIdentifier = content.categoryIdentifier.nonEmpty
            threadIdentifier = content.threadIdentifier.nonEmpty
            title = content.title.nonEmpty.map { NotificationText($0) }
            subtitle = content.subtitle.nonEmpty.map { NotificationText($0) }
            body = content.body.nonEmpty.map { NotificationText($0) }
            if sound == .none, content.sound != nil { sound = .default }
            badge = content.badge?.intValue
            #if !os(macOS)
                launchImageName = content.launchImageName.nonEmpty
            #endif
            hasAlert = [title, subtitle, body].contains { $0 != nil }
            interruptionLevel = InterruptionLevel(content.interruptionLevel)
            relevanceScore = content.relevanceScore
        }

        /// What was sent; nil when it is nothing that JSON can say, which a local one may hold.
        private static func payload(_ userInfo: [AnyHashable: Any]) -> APNsPayload? {
            // Asked first: what JSON cannot say is an exception otherwise, not an error.
            guard JSONSerialization.isValidJSONObject(userInfo),
                let json = try? JSONSerialization.data(withJSONObject: userInfo)
            else { return nil }
            return try? APNsPayload(parsing: json)
        }
    }

    extension InterruptionLevel {
        /// Takes over a level of the system's; nil for one that this release does not know.
        fileprivate init?(_ level: UNNotificationInterruptionLevel) {
            switch level {
            case .passive: self = .passive
            case .active: self = .active
            case .timeSensitive: self = .timeSensitive
            case .critical: self = .critical
            @unknown default: return nil
            }
        }
    }

    extension String {
        /// The text; nil when there is none, for which the system has an empty one.
        fileprivate var nonEmpty: String? { isEmpty ? nil : self }
    }
#endif
