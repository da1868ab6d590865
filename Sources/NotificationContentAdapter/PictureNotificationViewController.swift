#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import AttachmentContainer
    public import UIKit
    import UserNotifications
    public import UserNotificationsUI

    /// A content extension that shows the service extension's renditions from the App Group.
    ///
    /// Subclass it, name the App Group, and name the subclass in the Info.plist as
    /// `NSExtensionPrincipalClass`, in place of a storyboard:
    ///
    /// ```swift
    /// final class NotificationViewController: PictureNotificationViewController {
    ///     override var appGroup: String { "group.example.daily-pick" }
    /// }
    /// ```
    ///
    /// It shows the picture's colour and placeholder immediately and then the picture, and sets its
    /// height from the picture's ratio. The system's button plays media, and the action that keeps a
    /// picture is handled. It needs no network and links no codec.
    @MainActor
    open class PictureNotificationViewController: UIViewController {
        /// The App Group that the service extension writes to.
        ///
        /// The default is empty, which shows a plain placeholder for every notification.
        open var appGroup: String { "" }

        /// The picture's render budget, in decoded bytes (width × height × 4).
        ///
        /// The default is 8 MiB, as in `ProcessingSettings`.
        open var renderBudget: ByteCount { .mebibytes(8) }

        /// The action that keeps a picture.
        ///
        /// The default is nil.
        open var keepAction: KeepAction? { nil }

        /// The view of the picture.
        public let pictureView = NotificationPictureView(frame: .zero)
        private let movieView = MovieView(frame: .zero)
        /// The current notification; nil before the first one.
        public private(set) var notification: ReceivedNotification?
        /// The container's content for it; nil before the first notification.
        public private(set) var content: DisplayContent?
        private(set) var playback: MediaPlayback?
        private var container: SharedContainer?

        /// Fills the view with the picture.
        override open func viewDidLoad() {
            super.viewDidLoad()
            for subview in [pictureView, movieView] {
                subview.frame = view.bounds
                subview.autoresizingMask = [.flexibleWidth, .flexibleHeight]
                view.addSubview(subview)
            }
            movieView.show(nil)
        }

        /// Updates the height from the picture's ratio when the width is known or changes.
        override open func viewDidLayoutSubviews() {
            super.viewDidLayoutSubviews()
            setHeight()
        }

        /// Stops playback and closes its file.
        ///
        /// - Parameter animated: True if the disappearance was animated.
        override open func viewDidDisappear(_ animated: Bool) {
            super.viewDidDisappear(animated)
            play(nil)
        }

        /// Shows a notification; override it to extend the interface, and call `super`.
        ///
        /// It is called again for further notifications of the same thread.
        ///
        /// - Parameters:
        ///   - content: The container's content for the notification.
        ///   - notification: The notification.
        open func show(_ content: DisplayContent, of notification: ReceivedNotification) {
            pictureView.show(content)
            play(notification.media)
            updateKeepAction()
            setHeight()
        }

        /// Responds to an action; override it for custom actions, and call `super` for others.
        ///
        /// The system is informed when it returns, so no code path can omit that.
        ///
        /// - Parameters:
        ///   - action: The action's identifier.
        ///   - text: The text entered, for an action with text input; else nil.
        /// - Returns: The option for the interface. The action that keeps a picture leaves it open; others
        ///   dismiss it and open the app.
        open func respond(
            to action: String, text: String?
        ) async -> UNNotificationContentExtensionResponseOption {
            guard let keepAction, action == keepAction.identifier else {
                return .dismissAndForwardAction
            }
            toggleKept()
            return .doNotDismiss
        }

        func receive(_ notification: ReceivedNotification) {
            loadViewIfNeeded()
            // Reopened each time: the container appears with the first notification.
            container = try? SharedContainer.open(inAppGroup: appGroup)
            let display = Display(
                width: view.bounds.width, scale: traitCollection.displayScale,
                renderBudget: renderBudget,
                initialContentSizeRatio: Bundle.main.initialContentSizeRatio ?? 0.75)
            let content =
                container?.content(for: notification.identifier, on: display)
                ?? .neutral(on: display)
            self.notification = notification
            self.content = content
            show(content, of: notification)
        }

        // The system uses only the height.
        private func setHeight() {
            guard let content else { return }
            let height = (view.bounds.width * content.contentSizeRatio).rounded()
            if preferredContentSize.height != height {
                preferredContentSize = CGSize(width: view.bounds.width, height: height)
            }
        }
    }

    extension PictureNotificationViewController {
        private func toggleKept() {
            guard let container, let notification else { return }
            // After a failure, the unchanged button indicates that nothing changed.
            if (try? container.isPinned(notification.identifier)) == true {
                _ = try? container.unpin(notification.identifier)
            } else {
                _ = try? container.pin(notification.identifier)
            }
            updateKeepAction()
        }

        private func updateKeepAction() {
            guard let keepAction, let container, let notification, let extensionContext,
                let isKept = try? container.isPinned(notification.identifier)
            else { return }
            extensionContext.notificationActions = keepAction.actions(
                extensionContext.notificationActions, isKept: isKept)
        }

        private func play(_ media: ReceivedNotification.Media?) {
            playback?.pause()
            playback = media.map { media in
                MediaPlayback(media) { [weak self] in
                    self?.extensionContext?.mediaPlayingPaused()
                }
            }
            movieView.show(media?.isMovie == true ? playback?.player : nil)
        }
    }
#endif
