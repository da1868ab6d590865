#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import AttachmentContainer
    public import UIKit
    import UserNotifications
    public import UserNotificationsUI

    /// A content extension that shows what the service extension left in the App Group.
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
    /// It shows the picture's colour and likeness at once and then the picture, sets its height by
    /// the picture's ratio, plays what can be played with the system's button, and answers the
    /// action that keeps a picture. It needs no network and links no codec.
    @MainActor
    open class PictureNotificationViewController: UIViewController {
        /// The App Group that the service extension processes into.
        ///
        /// The default is none, with which every notification has a plain placeholder.
        open var appGroup: String { "" }

        /// The decoded bytes (width × height × 4) that may be spent on the picture.
        ///
        /// The default is 8 MiB, that of `ProcessingSettings`.
        open var renderBudget: ByteCount { .mebibytes(8) }

        /// The action that keeps a picture.
        ///
        /// The default is none.
        open var keepAction: KeepAction? { nil }

        /// Where the picture is shown.
        public let pictureView = NotificationPictureView(frame: .zero)
        private let movieView = MovieView(frame: .zero)
        /// What is shown; nil before the first notification.
        public private(set) var notification: ReceivedNotification?
        /// What the container has of it; nil before the first notification.
        public private(set) var content: DisplayContent?
        private(set) var playback: MediaPlayback?
        private var container: SharedContainer?

        /// Lays the picture over the whole view.
        override open func viewDidLoad() {
            super.viewDidLoad()
            for subview in [pictureView, movieView] {
                subview.frame = view.bounds
                subview.autoresizingMask = [.flexibleWidth, .flexibleHeight]
                view.addSubview(subview)
            }
            movieView.show(nil)
        }

        /// Sets the height by the picture's ratio, once the width is known and when it changes.
        override open func viewDidLayoutSubviews() {
            super.viewDidLayoutSubviews()
            setHeight()
        }

        /// Lets go of the file that plays.
        ///
        /// - Parameter animated: Whether the view went with an animation.
        override open func viewDidDisappear(_ animated: Bool) {
            super.viewDidDisappear(animated)
            play(nil)
        }

        /// Shows a notification; override it to add to what is shown, and call `super`.
        ///
        /// It is called again when another notification of the thread arrives meanwhile.
        ///
        /// - Parameters:
        ///   - content: What the container has of it.
        ///   - notification: The notification.
        open func show(_ content: DisplayContent, of notification: ReceivedNotification) {
            pictureView.show(content)
            play(notification.media)
            showWhetherKept()
            setHeight()
        }

        /// Answers an action; override it for actions of your own, and call `super` for the others.
        ///
        /// The system is told as soon as it returns, so no path can forget to.
        ///
        /// - Parameters:
        ///   - action: The action's identifier.
        ///   - text: What was typed, for an action with text input; else nil.
        /// - Returns: What becomes of the interface. The action that keeps a picture leaves it open;
        ///   others close it and go to the app.
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
            // Asked for each time: the container appears with the first notification.
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

        /// Width values are ignored by the system, heights are not.
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
            // What fails leaves the button as it was, which says that nothing changed.
            if (try? container.isPinned(notification.identifier)) == true {
                _ = try? container.unpin(notification.identifier)
            } else {
                _ = try? container.pin(notification.identifier)
            }
            showWhetherKept()
        }

        private func showWhetherKept() {
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
