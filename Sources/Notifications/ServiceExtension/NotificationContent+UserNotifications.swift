#if canImport(UserNotifications)
    import Foundation
    public import NotificationPayload
    public import UserNotifications

    extension NotificationContent {
        /// Creates a notification from the system's content object.
        ///
        /// Texts are those that the system shows. The system does not reveal the name of a sound: it is
        /// read from the payload, and a local notification gets the default sound.
        ///
        /// - Parameters:
        ///   - content: The content object. A remote notification's payload is its `userInfo`.
        ///   - identifier: The identifier of the notification's request.
        ///   - style: The keys that name attachments. The default is all styles.
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
            targetContentIdentifier = content.targetContentIdentifier
            filterCriteria = content.filterCriteria
        }

        /// The payload as sent; nil if `userInfo` is not valid JSON, as in some local notifications.
        private static func payload(_ userInfo: [AnyHashable: Any]) -> APNsPayload? {
            // JSONSerialization raises an exception, not an error, for invalid objects.
            guard JSONSerialization.isValidJSONObject(userInfo),
                let json = try? JSONSerialization.data(withJSONObject: userInfo)
            else { return nil }
            return try? APNsPayload(parsing: json)
        }
    }

    extension InterruptionLevel {
        /// Converts the system's level; nil if unknown to this release.
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
        /// The string; nil if empty, which the system uses for absent texts.
        fileprivate var nonEmpty: String? { isEmpty ? nil : self }
    }
#endif
