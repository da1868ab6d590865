// error: cannot convert value of type 'String' to specified type 'Int'
#if canImport(UserNotificationsUI) && canImport(UIKit)
    import UserNotifications

    let title: Int = UNMutableNotificationContent().title
#endif
