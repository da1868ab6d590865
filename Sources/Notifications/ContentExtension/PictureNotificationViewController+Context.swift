#if canImport(UserNotificationsUI) && canImport(UIKit)
    import UIKit
    public import UserNotifications
    import UserNotificationsUI

    // A child view controller has the extension context of its nearest ancestor with one.
    extension PictureNotificationViewController {
        /// The buttons below the interface, to change while it is shown.
        ///
        /// They begin as those that the app registered with the category.
        @objc public var notificationActions: [UNNotificationAction] {
            get { extensionContext?.notificationActions ?? [] }
            set { extensionContext?.notificationActions = newValue }
        }

        /// Opens the app, as if the person had tapped the notification.
        @objc public func performNotificationDefaultAction() {
            extensionContext?.performNotificationDefaultAction()
        }

        /// Closes the expanded interface; the notification stays.
        @objc public func dismissNotificationContentExtension() {
            extensionContext?.dismissNotificationContentExtension()
        }

        /// Starts or resumes playback without the system's button, for example when the interface opens.
        ///
        /// The system is informed, so that its button shows the state.
        @objc public func startMedia() {
            guard notification?.media != nil else { return }
            resume()
            extensionContext?.mediaPlayingStarted()
        }

        /// Pauses playback without the system's button.
        @objc public func pauseMedia() {
            guard notification?.media != nil else { return }
            pause()
            extensionContext?.mediaPlayingPaused()
        }
    }
#endif
