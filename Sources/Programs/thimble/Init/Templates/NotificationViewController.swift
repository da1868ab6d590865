import NotificationContentAdapter

/// Shows the picture in the expanded notification.
final class NotificationViewController: PictureNotificationViewController {
    override var appGroup: String { "__APP_GROUP__" }
}
