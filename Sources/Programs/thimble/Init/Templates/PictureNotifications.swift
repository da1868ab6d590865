import UserNotifications

/// Registers the category of notifications with a picture; a member of the app's target.
nonisolated enum PictureNotifications {
    /// Adds the category to the app's categories; call it in `application(_:didFinishLaunchingWithOptions:)`.
    ///
    /// Code that sets the categories later must include this one: the system keeps only the last set.
    static func register() {
        UNUserNotificationCenter.current().getNotificationCategories { known in
            let category = UNNotificationCategory(
                identifier: "__CATEGORY__", actions: [], intentIdentifiers: [])
            UNUserNotificationCenter.current().setNotificationCategories(known.union([category]))
        }
    }
}
