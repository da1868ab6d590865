import NotificationContentAdapter
import UserNotificationsUI

/// Shows the picture, and keeps it when asked to.
final class NotificationViewController: PictureNotificationViewController {
    override var appGroup: String { DailyPick.appGroup }

    override var keepAction: KeepAction? {
        KeepAction(identifier: DailyPick.keep, keepTitle: "Keep", releaseTitle: "Let go")
    }
}
