#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import UserNotifications

    extension KeepAction {
        /// The action, for the app to register.
        public var action: UNNotificationAction {
            UNNotificationAction(identifier: identifier, title: keepTitle)
        }

        /// Gives this action a title in a notification's buttons.
        func actions(
            _ actions: [UNNotificationAction], titled title: String
        ) -> [UNNotificationAction] {
            actions.map { action in
                guard action.identifier == identifier else { return action }
                return UNNotificationAction(
                    identifier: identifier, title: title, options: action.options)
            }
        }
    }
#endif
