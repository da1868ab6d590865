#if canImport(UserNotifications)
    import Foundation
    public import NotificationPayload
    public import UserNotifications

    extension UNMutableNotificationContent {
        /// Copies the texts and presentation of a notification.
        ///
        /// Attachments do not change: the system takes them from files, with
        /// ``attach(_:identifier:through:)``. In `userInfo`, `aps` does not change.
        public func update(from notification: NotificationContent) {
            categoryIdentifier = notification.categoryIdentifier ?? ""
            threadIdentifier = notification.threadIdentifier ?? ""
            title = notification.title?.localised ?? ""
            subtitle = notification.subtitle?.localised ?? ""
            body = notification.body?.localised ?? ""
            sound = UNNotificationSound.sound(notification.sound)
            badge = notification.badge.map { NSNumber(value: $0) }
            #if !os(macOS)
                launchImageName = notification.launchImageName ?? ""
            #endif
            if let level = notification.interruptionLevel?.systemLevel { interruptionLevel = level }
            if let score = notification.relevanceScore { relevanceScore = score }
            targetContentIdentifier = notification.targetContentIdentifier
            filterCriteria = notification.filterCriteria
            if var members = Self.foundationObject(notification.userInfo) {
                members["aps"] = userInfo["aps"]
                userInfo = members
            }
        }

        private static func foundationObject(_ members: [JSONMember]) -> [AnyHashable: Any]? {
            guard let json = try? JSONValue.object(members).encoded() else { return nil }
            return try? JSONSerialization.jsonObject(with: Data(json)) as? [AnyHashable: Any]
        }
    }

    extension NotificationText {
        /// The text to show; the system looks up a key at delivery.
        fileprivate var localised: String {
            guard let localisationKey else { return text ?? "" }
            return NSString.localizedUserNotificationString(
                forKey: localisationKey, arguments: localisationArguments)
        }
    }

    extension UNNotificationSound {
        fileprivate static func sound(_ sound: NotificationSound) -> UNNotificationSound? {
            switch sound {
            case .none: nil
            case .default: .default
            case .named(let name): UNNotificationSound(named: UNNotificationSoundName(name))
            case .critical(nil, let volume): .defaultCriticalSound(withAudioVolume: Float(volume))
            case .critical(let name?, let volume):
                .criticalSoundNamed(UNNotificationSoundName(name), withAudioVolume: Float(volume))
            }
        }
    }

    extension InterruptionLevel {
        /// The system's level; nil if unknown to it.
        fileprivate var systemLevel: UNNotificationInterruptionLevel? {
            switch self {
            case .passive: .passive
            case .active: .active
            case .timeSensitive: .timeSensitive
            case .critical: .critical
            default: nil
            }
        }
    }
#endif
