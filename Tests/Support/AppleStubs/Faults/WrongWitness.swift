// error: type 'Controller' does not conform to protocol 'UNNotificationContentExtension'
import UIKit
import UserNotifications
import UserNotificationsUI

// `mediaPauses` is misspelt. Apple's compiler accepts that, because the requirement is optional, and the
// system never calls it.
final class Controller: UIViewController, UNNotificationContentExtension {
    nonisolated func didReceive(_ notification: UNNotification) {}
    nonisolated func didReceive(
        _ response: UNNotificationResponse,
        completionHandler: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {}
    nonisolated var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType
    { .none }
    nonisolated var mediaPlayPauseButtonFrame: CGRect { .zero }
    nonisolated var mediaPlayPauseButtonTintColor: UIColor { .white }
    nonisolated func mediaPlay() {}
    nonisolated func mediaPauses() {}
}
