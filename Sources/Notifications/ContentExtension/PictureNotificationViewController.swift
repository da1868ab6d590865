#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import AttachmentContainer
    public import NotificationPayload
    public import UIKit
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
    /// height from the picture's ratio. Without renditions, colour, placeholder and ratio come from the
    /// payload's note, and the picture is the attached one if it fits the render budget. A picture inside
    /// the note is shown in place of the placeholder. The system's
    /// button plays media, and the action that keeps a picture is handled. It needs no network and
    /// links no codec.
    ///
    /// Objective-C cannot subclass a class of Swift. There, it becomes a child of the extension's own view
    /// controller, which passes the system's calls on.
    @MainActor
    @objc(THMPictureNotificationViewController)
    open class PictureNotificationViewController: UIViewController {
        /// The App Group that the service extension writes to.
        ///
        /// The default is the initialiser's, else empty, which shows a plain placeholder for every
        /// notification without a note.
        @objc open var appGroup: String { configuration.appGroup }

        /// The picture's render budget, in decoded bytes (width × height × 4).
        ///
        /// The default is 8 MiB, as in `ProcessingSettings`.
        open var renderBudget: ByteCount { .mebibytes(8) }

        /// The source of the key that unseals pictures, as in the service extension.
        ///
        /// The default is nil; sealed pictures then show their absence.
        open var sealingKeys: (any SealingKeyProviding)? { nil }

        /// The path of a server's note in payloads.
        ///
        /// The default is `thimble`.
        open var notePath: JSONPath { APNsPayload.notePath }

        /// The action that keeps a picture.
        ///
        /// The default is the action of `setKeepAction(identifier:keepTitle:releaseTitle:)`, else
        /// nil.
        open var keepAction: KeepAction? { configuration.keepAction }

        private struct Configuration {
            var appGroup = ""
            var keepAction: KeepAction?
        }

        private var configuration = Configuration()

        /// The view of the picture.
        @objc public let pictureView = NotificationPictureView(frame: .zero)
        private let movieView = MovieView(frame: .zero)
        /// The current notification; nil before the first one.
        public private(set) var notification: ReceivedNotification?
        /// The container's content for it; nil before the first notification.
        public private(set) var content: DisplayContent?
        /// The picture inside its payload; nil without one.
        public private(set) var inlinePicture: InlinePicture?
        private var playback: MediaPlayback?
        private var container: SharedContainer?

        /// Creates a view controller to be a child of another, for Objective-C.
        ///
        /// - Parameter appGroup: The App Group that the service extension writes to.
        @objc(initWithAppGroup:)
        public convenience init(appGroup: String) {
            self.init(nibName: nil, bundle: nil)
            configuration.appGroup = appGroup
        }

        /// Sets the action that keeps a picture, for Objective-C.
        ///
        /// - Parameters:
        ///   - identifier: The identifier that the app registers.
        ///   - keepTitle: The title while the picture is not kept.
        ///   - releaseTitle: The title while the picture is kept.
        @objc(setKeepActionWithIdentifier:keepTitle:releaseTitle:)
        public func setKeepAction(identifier: String, keepTitle: String, releaseTitle: String) {
            configuration.keepAction = KeepAction(
                identifier: identifier, keepTitle: keepTitle, releaseTitle: releaseTitle)
            updateKeepAction()
        }

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
            open(nil)
        }

        /// Shows a notification; override it to extend the interface, and call `super`.
        ///
        /// It is called again for further notifications of the same thread.
        ///
        /// - Parameters:
        ///   - content: The container's content for the notification.
        ///   - notification: The notification, with its texts, data and attachments.
        open func show(_ content: DisplayContent, of notification: ReceivedNotification) {
            pictureView.show(content, inlinePicture: inlinePicture)
            if content.picture == nil, content.animation == nil,
                let picture = notification.attachments.first(where: { $0.kind == .picture })
            {
                pictureView.show(picture, within: renderBudget)
            }
            open(notification.media)
            updateKeepAction()
            setHeight()
        }

        /// Responds to an action; override it for custom actions, and call `super` for others.
        ///
        /// The system is informed when it returns, so no code path can omit that.
        ///
        /// - Parameter response: The action, the text entered and the notification, which need not be the
        ///   latest.
        /// - Returns: The option for the interface. The action that keeps a picture leaves it open; others
        ///   dismiss it and open the app.
        open func respond(
            to response: ReceivedResponse
        ) async -> UNNotificationContentExtensionResponseOption {
            guard let keepAction, keepAction.handles(response, in: container) else {
                return .dismissAndForwardAction
            }
            updateKeepAction()
            return .doNotDismiss
        }

        /// The type of playback button; override it for another one.
        ///
        /// The default is none without playable media, and an overlay on movies.
        open var playButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType {
            guard let media = notification?.media else { return .none }
            return media.kind == .movie ? .overlay : .default
        }

        /// The frame of the playback button, in the view's coordinates; override it for another one.
        ///
        /// The default is centred.
        open var playButtonFrame: CGRect {
            // 1.5 times the minimum touch target of 44 points (Apple, Human Interface Guidelines,
            // Buttons).
            let side = 66.0
            return CGRect(
                x: (view.bounds.width - side) / 2, y: (view.bounds.height - side) / 2,
                width: side, height: side)
        }

        /// The colour of the playback button; override it for another one.
        ///
        /// The default is white, which the system keeps legible on any picture.
        open var playButtonTintColor: UIColor { .white }

        func receive(_ notification: ReceivedNotification) {
            loadViewIfNeeded()
            // Reopened each time: the container appears with the first notification.
            container = try? SharedContainer.open(inAppGroup: appGroup)
            if let sealingKeys { container = container?.sealing(with: sealingKeys) }
            let display = Display(
                width: view.bounds.width, scale: traitCollection.displayScale,
                renderBudget: renderBudget,
                initialContentSizeRatio: Bundle.main.initialContentSizeRatio ?? 0.75)
            let note = DeliveryNote(userInfo: notification.userInfo, at: notePath)
            let preview = DisplayContent.Preview(note)
            let content =
                container?.content(for: notification.identifier, on: display, preview: preview)
                ?? .previewing(preview, on: display)
            self.notification = notification
            self.content = content
            inlinePicture = note?.picture
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
        private func updateKeepAction() {
            guard let keepAction, let container, let notification,
                let title = keepAction.title(for: notification.identifier, in: container)
            else { return }
            notificationActions = keepAction.actions(notificationActions, titled: title)
        }

        private func open(_ media: ReceivedNotification.Attachment?) {
            playback?.pause()
            playback = media.map { media in
                MediaPlayback(media) { [weak self] in
                    self?.extensionContext?.mediaPlayingPaused()
                }
            }
            movieView.show(media?.kind == .movie ? playback?.player : nil)
        }

        func resume() { playback?.play() }

        func pause() { playback?.pause() }
    }
#endif
