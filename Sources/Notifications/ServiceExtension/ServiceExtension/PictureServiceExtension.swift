#if canImport(UserNotifications)
    public import AttachmentContainer
    import AttachmentImageIO
    public import AttachmentModel
    import Foundation
    public import NotificationDelivery
    public import NotificationPayload
    public import UserNotifications

    /// A service extension that downloads a notification's picture, prepares its renditions for the
    /// content extension, and attaches it.
    ///
    /// Subclass it and provide the App Group:
    ///
    /// ```swift
    /// final class NotificationService: PictureServiceExtension {
    ///     override var appGroup: String { "group.example.daily-pick" }
    /// }
    /// ```
    ///
    /// The system receives the notification exactly once and in time, despite any failure: with a picture
    /// if available, or else unchanged. A picture inside the payload is attached if there is no other. The
    /// system creates an instance for each notification, several at a time in one process. They share one
    /// processor and its cap. Before the first unlock, when the App Group is closed, the picture goes
    /// through the extension's own temporary folder.
    ///
    /// Objective-C cannot subclass a class of Swift. It creates an instance, configured by the initialiser,
    /// and passes both calls of the system on.
    @objc(THMPictureServiceExtension)
    nonisolated open class PictureServiceExtension: UNNotificationServiceExtension {
        /// The App Group that the content extension reads from.
        ///
        /// The default is the initialiser's, else empty, which delivers every notification
        /// unchanged.
        @objc open var appGroup: String { configuration.appGroup }

        /// The categories whose notifications get a picture; nil for all.
        ///
        /// The default is the initialiser's, else nil. Other notifications are delivered unchanged.
        @objc open var categories: Set<String>? { configuration.categories }

        /// True to show the picture only in the expanded interface, without the small thumbnail.
        ///
        /// The default is the initialiser's, else false. A payload with `attachment.hide-thumbnail` or
        /// `attachment.lazy`, as of Home Assistant, hides it too.
        @objc open var hidesThumbnail: Bool { configuration.hidesThumbnail }

        /// Returns the person that a notification is from, for a communication notification.
        ///
        /// The default is nil, an ordinary notification. The square rendition becomes the person's
        /// avatar.
        ///
        /// - Parameter content: The notification as received.
        /// - Returns: The person; nil for an ordinary notification.
        open func sender(of content: UNNotificationContent) -> MessageSender? { nil }

        /// Prepares a notification, for example decrypts its payload and sets its texts.
        ///
        /// The default does nothing. What it sets is delivered, with or without a picture. If it throws, or
        /// takes until the deadline, the notification is delivered as received.
        ///
        /// - Parameter content: The notification as received, to change.
        /// - Throws: Any error; a `FaultConvertible` is a reason of the answer.
        open func prepare(_ content: UNMutableNotificationContent) async throws {}

        /// Returns the source of a notification's picture, with its decryption.
        ///
        /// The default is the URL under the keys of ``payloadStyle``, or what ``homeAssistant(for:)``
        /// adds. It is called after ``prepare(_:)``, and both count toward the deadline.
        ///
        /// - Parameter content: The prepared notification.
        /// - Returns: The source; nil for a notification without a picture.
        /// - Throws: Any error; the notification is then delivered as prepared, with no other picture than
        ///   the one inside its payload.
        open func picture(of content: UNNotificationContent) async throws -> PictureSource? {
            payloadPicture(of: content)
        }

        /// Returns the server of Home Assistant whose cameras and files a notification may name.
        ///
        /// The default is nil. With a server, the default of ``picture(of:)`` gets a path in `attachment.url`,
        /// or the camera of `entity_id`, from it, with its token.
        ///
        /// - Parameter content: The prepared notification.
        /// - Returns: The server; nil without one.
        open func homeAssistant(for content: UNNotificationContent) -> HomeAssistantServer? { nil }

        /// Returns the text of a picture that explains why the expected one is missing, such as "The camera
        /// did not answer".
        ///
        /// The default is nil: the notification is delivered without a picture. With an explanation, the outcome
        /// is `explanation`. It is called at most once, on any thread, when the answer is due, so it must
        /// return at once.
        ///
        /// - Parameters:
        ///   - reasons: The reasons, most important first; `code` tells them apart.
        ///   - content: The prepared notification.
        /// - Returns: The explanation, in the user's language; nil for none.
        open func explanation(
            of reasons: [DeliveryReason], for content: UNNotificationContent
        ) -> PictureExplanation? { nil }

        /// The path of a server's note in payloads.
        ///
        /// The default is `thimble`. The rendition that the note names is downloaded and, if it is ready
        /// to show, kept without decoding it.
        open var notePath: JSONPath { APNsPayload.notePath }

        /// The settings of the renditions, including the cap.
        ///
        /// The default is `ProcessingSettings()`, with a cap of 24 MiB. A cap above the limit that the
        /// system has for the process is lowered to it.
        open var settings: ProcessingSettings { ProcessingSettings() }

        /// The keys that name pictures in payloads.
        ///
        /// The default is the keys of all styles.
        open var payloadStyle: PayloadStyle { .auto }

        /// The limits and sources of a download.
        ///
        /// The default is 50 MB, over `https` only.
        open var download: DownloadSettings { DownloadSettings() }

        /// The stage's configuration.
        ///
        /// The default is `DeliveryStage.Configuration()`: an answer after 25 seconds of the system's 30.
        open var delivery: DeliveryStage.Configuration { DeliveryStage.Configuration() }

        /// The container's limits, enforced after an answer: the first of a process, and then when half of
        /// the maximum age has passed, at least a minute and at most a day.
        ///
        /// The default is the container's own default. For a retention in minutes, see
        /// `PruningPolicy.retaining(for:)`.
        open var pruning: PruningPolicy { .default }

        /// The data protection of pictures and manifests.
        ///
        /// The default is `afterFirstUnlock`. With `whileUnlockedUnlessOpen`, pictures that arrive on a
        /// locked device are not attached; the content extension shows them once it is unlocked.
        open var protection: DataProtection { .afterFirstUnlock }

        /// The source of the key that seals pictures: renditions are then encrypted, and only the content
        /// extension shows them.
        ///
        /// The default is nil, renditions in the clear. `KeychainSealingKey` keeps the key in a keychain
        /// group. Sealed pictures are not attached, and show no thumbnail; sound and movies are refused.
        open var sealingKeys: (any SealingKeyProviding)? { nil }

        /// Creates the processor from the settings and the container; called once per process.
        public typealias ProcessorFactory =
            @Sendable (ProcessingSettings, SharedContainer) throws -> any AttachmentProcessing

        /// The source of renditions: an `AttachmentProcessor` of `AttachmentPipeline`, which with
        /// `AttachmentVips` links libvips into the extension, or a custom one.
        ///
        /// The default is `ImageIOProcessor` of `AttachmentImageIO`, which links no C library.
        open var makeProcessor: ProcessorFactory {
            { try ImageIOProcessor(settings: $0, container: $1) }
        }

        /// Called after each delivery; override it to count outcomes or to log elsewhere.
        ///
        /// The default writes to the unified log, without private data. It is called on any thread, before
        /// the system receives the notification.
        open class func didAnswer(_ answer: DeliveryAnswer) { ServiceExtensionLog.write(answer) }

        /// Called for failures that affect every notification, and for errors of ``prepare(_:)`` and
        /// ``picture(of:)``.
        ///
        /// The default writes to the unified log, in which the text of an error that is no `FaultConvertible`
        /// is private. It is called on any thread.
        ///
        /// - Parameter error: The cause: a wrong App Group, an invalid setting, the system's error for a
        ///   file, or the error of the app's own code.
        open class func didFail(with error: any Error) { ServiceExtensionLog.write(error) }

        /// Prepares a notification in place of ``prepare(_:)``, for Objective-C; nil for that method.
        ///
        /// It calls its second argument once, with the error if it failed.
        @objc public var prepareHandler:
            ((UNMutableNotificationContent, @escaping @Sendable ((any Error)?) -> Void) -> Void)?

        /// Finds the picture in place of ``picture(of:)``, for Objective-C; nil for that method.
        ///
        /// It calls its second argument once, with nil for no picture.
        @objc public var pictureHandler:
            ((UNNotificationContent, @escaping @Sendable (PictureSourceObject?) -> Void) -> Void)?

        private struct Configuration {
            var appGroup = ""
            var categories: Set<String>?
            var hidesThumbnail = false
        }

        private let configuration: Configuration
        private let deliveries = DeliveriesUnderWay()

        /// Creates an extension that subclasses configure, as the system does.
        override public init() {
            configuration = Configuration()
            super.init()
        }

        /// Creates an extension that passes its calls on, for Objective-C.
        ///
        /// - Parameters:
        ///   - appGroup: The App Group that the content extension reads from.
        ///   - categories: The categories whose notifications get a picture; nil for all.
        ///   - hidesThumbnail: True to show the picture only in the expanded interface.
        @objc(initWithAppGroup:categories:hidesThumbnail:)
        public init(appGroup: String, categories: Set<String>?, hidesThumbnail: Bool) {
            configuration = Configuration(
                appGroup: appGroup, categories: categories, hidesThumbnail: hidesThumbnail)
            super.init()
        }

        /// Delivers a notification with its picture, if available in time.
        ///
        /// - Parameters:
        ///   - request: The notification.
        ///   - contentHandler: Called exactly once.
        override public final func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            let start = ContinuousClock.now
            guard categories?.contains(request.content.categoryIdentifier) != false,
                let content = request.content.mutableCopy() as? UNMutableNotificationContent
            else { return contentHandler(request.content) }
            let shared: SharedStage
            do {
                shared = try SharedStage.of(self)
            } catch {
                Self.didFail(with: error)
                return contentHandler(request.content)
            }
            let preparing = NotificationPreparing(
                self, request, content,
                folder: URL(fileURLWithPath: shared.container.incomingFolder, isDirectory: true))
            let recipient = Recipient(
                preparing: preparing, container: shared.container, contentHandler: contentHandler)
            let (observer, pruning) = (type(of: self), pruning)
            deliveries.begin { ended in
                RemoteDelivery(
                    of: preparing.received, into: shared.container,
                    by: AttachmentDownload(settings: download), through: shared.stage,
                    deadline: start.advanced(by: delivery.deadline),
                    preparing: { try await preparing.run() },
                    completion: { answer in
                        observer.didAnswer(answer)
                        recipient.deliver(answer, observer)
                        ended()
                        shared.pruneWhenDue(pruning)
                    })
            }
        }

        /// Delivers every pending notification with the best answer so far.
        override public final func serviceExtensionTimeWillExpire() {
            deliveries.timeWillExpire()
        }
    }
#endif
