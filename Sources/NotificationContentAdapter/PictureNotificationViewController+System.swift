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

        /// Responds to an action; override ``respond(to:text:)`` to handle other actions.
        ///
        /// - Parameters:
        ///   - response: The person's choice.
        ///   - completion: Called exactly once with the option for the interface.
        public nonisolated func didReceive(
            _ response: UNNotificationResponse,
            completionHandler completion:
                @escaping (UNNotificationContentExtensionResponseOption) -> Void
        ) {
            let action = response.actionIdentifier
            let text = (response as? UNTextInputNotificationResponse)?.userText
            let completion = ResponseCompletion(completion)
            Task { @MainActor in completion.call(await respond(to: action, text: text)) }
        }

        /// The type of playback button; none without playable media.
        public nonisolated var mediaPlayPauseButtonType:
            UNNotificationContentExtensionMediaPlayPauseButtonType
        {
            MainActor.assumeIsolated {
                guard let media = notification?.media else { return .none }
                return media.isMovie ? .overlay : .default
            }
        }

        /// The button's frame, centred in the view.
        public nonisolated var mediaPlayPauseButtonFrame: CGRect {
            MainActor.assumeIsolated {
                // 1.5 times the minimum touch target of 44 points (Apple, Human Interface Guidelines,
                // Buttons).
                let side = 66.0
                return CGRect(
                    x: (view.bounds.width - side) / 2, y: (view.bounds.height - side) / 2,
                    width: side, height: side)
            }
        }

        /// The button's colour: white, which the system keeps legible on any picture.
        public nonisolated var mediaPlayPauseButtonTintColor: UIColor { .white }

        /// Starts or resumes playback.
        public nonisolated func mediaPlay() {
            MainActor.assumeIsolated { playback?.play() }
        }

        /// Pauses playback.
        public nonisolated func mediaPause() {
            MainActor.assumeIsolated { playback?.pause() }
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
