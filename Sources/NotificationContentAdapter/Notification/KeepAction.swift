#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import UserNotifications

    /// The action that keeps a picture or releases it.
    public struct KeepAction: Sendable, Hashable {
        /// The identifier of the action, as the app registers it with the category.
        public var identifier: String
        /// The title of its button while the picture is not kept.
        public var keepTitle: String
        /// The title of its button while the picture is kept.
        public var releaseTitle: String

        /// Creates an action.
        ///
        /// - Parameters:
        ///   - identifier: The identifier that the app registers.
        ///   - keepTitle: The title while the picture is not kept.
        ///   - releaseTitle: The title while the picture is kept.
        public init(identifier: String, keepTitle: String, releaseTitle: String) {
            self.identifier = identifier
            self.keepTitle = keepTitle
            self.releaseTitle = releaseTitle
        }

        /// The action, for the app to register.
        public var action: UNNotificationAction {
            UNNotificationAction(identifier: identifier, title: keepTitle)
        }

        /// Updates this action's title in a notification's buttons.
        func actions(_ actions: [UNNotificationAction], isKept: Bool) -> [UNNotificationAction] {
            actions.map { action in
                guard action.identifier == identifier else { return action }
                return UNNotificationAction(
                    identifier: identifier, title: isKept ? releaseTitle : keepTitle,
                    options: action.options)
            }
        }
    }
#endif
