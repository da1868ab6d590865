#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import UIKit
    public import UserNotifications
    public import UserNotificationsUI

    // The system calls these methods on the main thread, but its declarations state that only for some,
    // and not in every release. So all are nonisolated, and each enters the main actor itself.
    extension PictureNotificationViewController: UNNotificationContentExtension {
        /// Shows a notification; override ``show(_:of:)`` to extend it.
        ///
        /// - Parameter notification: The received notification.
        public nonisolated func didReceive(_ notification: UNNotification) {
            let received = ReceivedNotification(notification)
            MainActor.assumeIsolated { receive(received) }
        }

        /// Responds to an action; override ``respond(to:)`` to handle other actions.
        ///
        /// - Parameters:
        ///   - response: The person's choice.
        ///   - completion: Called exactly once with the option for the interface.
        public nonisolated func didReceive(
            _ response: UNNotificationResponse,
            completionHandler completion:
                @escaping (UNNotificationContentExtensionResponseOption) -> Void
        ) {
            let received = ReceivedResponse(response)
            let completion = ResponseCompletion(completion)
            Task { @MainActor in completion.call(await respond(to: received)) }
        }

        /// The type of playback button; override ``playButtonType`` for another one.
        public nonisolated var mediaPlayPauseButtonType:
            UNNotificationContentExtensionMediaPlayPauseButtonType
        {
            MainActor.assumeIsolated { playButtonType }
        }

        /// The button's frame; override ``playButtonFrame`` for another one.
        public nonisolated var mediaPlayPauseButtonFrame: CGRect {
            MainActor.assumeIsolated { playButtonFrame }
        }

        /// The button's colour; override ``playButtonTintColor`` for another one.
        public nonisolated var mediaPlayPauseButtonTintColor: UIColor {
            MainActor.assumeIsolated { playButtonTintColor }
        }

        /// Starts or resumes playback.
        public nonisolated func mediaPlay() {
            MainActor.assumeIsolated { resume() }
        }

        /// Pauses playback.
        public nonisolated func mediaPause() {
            MainActor.assumeIsolated { pause() }
        }
    }

    // Sendable: the system passes the closure for use on any thread, and no other reference to it exists.
    private struct ResponseCompletion: @unchecked Sendable {
        private let completion: (UNNotificationContentExtensionResponseOption) -> Void

        init(_ completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void) {
            self.completion = completion
        }

        func call(_ option: UNNotificationContentExtensionResponseOption) {
            completion(option)
        }
    }
#endif
