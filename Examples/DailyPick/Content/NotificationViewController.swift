import NotificationContentAdapter
import UserNotificationsUI

/// Shows the picture, with an action to keep it.
final class NotificationViewController: PictureNotificationViewController {
    override var appGroup: String { DailyPick.appGroup }

    override var keepAction: KeepAction? {
        KeepAction(identifier: DailyPick.keep, keepTitle: "Keep", releaseTitle: "Let go")
    }
}
