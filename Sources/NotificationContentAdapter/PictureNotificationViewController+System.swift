#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import UIKit
    public import UserNotifications
    public import UserNotificationsUI

    // The system calls all of these on the main thread, of which its declarations tell only for some
    // and not in every release: so none of them is isolated, and each goes to the main actor itself.
    extension PictureNotificationViewController: UNNotificationContentExtension {
        /// Shows a notification; override ``show(_:of:)`` to add to it.
        ///
        /// - Parameter notification: What arrived.
        public nonisolated func didReceive(_ notification: UNNotification) {
            let received = ReceivedNotification(notification)
            MainActor.assumeIsolated { receive(received) }
        }

        /// Answers an action; override ``respond(to:text:)`` to answer others.
        ///
        /// - Parameters:
        ///   - response: What the person chose.
        ///   - completion: Told what becomes of the interface: once, by whatever path.
        public nonisolated func didReceive(
            _ response: UNNotificationResponse,
            completionHandler completion:
                @escaping (UNNotificationContentExtensionResponseOption) -> Void
        ) {
            let action = response.actionIdentifier
            let text = (response as? UNTextInputNotificationResponse)?.userText
            let answer = ResponseAnswer(completion)
            Task { @MainActor in answer.give(await respond(to: action, text: text)) }
        }

        /// A button for what can be played, and none for what cannot.
        public nonisolated var mediaPlayPauseButtonType:
            UNNotificationContentExtensionMediaPlayPauseButtonType
        {
            MainActor.assumeIsolated {
                guard let media = notification?.media else { return .none }
                return media.isMovie ? .overlay : .default
            }
        }

        /// Where the button is: in the middle.
        public nonisolated var mediaPlayPauseButtonFrame: CGRect {
            MainActor.assumeIsolated {
                // Half as large again as the 44 points that a finger needs at least (Apple, Human
                // Interface Guidelines, Buttons).
                let side = 66.0
                return CGRect(
                    x: (view.bounds.width - side) / 2, y: (view.bounds.height - side) / 2,
                    width: side, height: side)
            }
        }

        /// The button's colour: white, which the system sets off against any picture.
        public nonisolated var mediaPlayPauseButtonTintColor: UIColor { .white }

        /// Plays on.
        public nonisolated func mediaPlay() {
            MainActor.assumeIsolated { playback?.play() }
        }

        /// Stops where it is.
        public nonisolated func mediaPause() {
            MainActor.assumeIsolated { playback?.pause() }
        }
    }

    /// The system's wish to know what becomes of the interface.
    // Sendable: the closure is the system's, handed over for any thread to call, and nobody keeps
    // another reference to it.
    private struct ResponseAnswer: @unchecked Sendable {
        private let completion: (UNNotificationContentExtensionResponseOption) -> Void

        init(_ completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void) {
            self.completion = completion
        }

        func give(_ option: UNNotificationContentExtensionResponseOption) {
            completion(option)
        }
    }
#endif
