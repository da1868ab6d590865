import NotificationContentAdapter

/// Shows the picture; the system shows the texts that the service extension set.
final class NotificationViewController: PictureNotificationViewController {
    override var appGroup: String { Messenger.appGroup }
}
