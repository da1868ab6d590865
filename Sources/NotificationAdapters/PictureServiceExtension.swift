#if canImport(UserNotifications)
    public import AttachmentContainer
    public import AttachmentModel
    import Foundation
    public import NotificationDelivery
    public import NotificationPayload
    public import UserNotifications

    /// A service extension that downloads a notification's picture, prepares its renditions for the
    /// content extension, and attaches it.
    ///
    /// Subclass it and provide the App Group and the processor:
    ///
    /// ```swift
    /// final class NotificationService: PictureServiceExtension {
    ///     override var appGroup: String { "group.example.daily-pick" }
    ///     override var makeProcessor: ProcessorFactory {
    ///         { try AttachmentProcessor(settings: $0, container: $1, fallback: .libvips) }
    ///     }
    /// }
    /// ```
    ///
    /// The system receives the notification exactly once and in time, despite any failure: with a picture
    /// if available, or else unchanged. The system creates an instance for each notification, several
    /// at a time in one process. They share one processor and its cap.
    open class PictureServiceExtension: UNNotificationServiceExtension {
        /// The App Group that the content extension reads from.
        ///
        /// The default is empty, which delivers every notification unchanged.
        open var appGroup: String { "" }

        /// The categories whose notifications get a picture; nil for all.
        ///
        /// The default is nil. Other notifications are delivered unchanged.
        open var categories: Set<String>? { nil }

        /// The settings of the renditions, including the cap.
        ///
        /// The default is `ProcessingSettings()`, with a cap of 24 MiB.
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

        /// The container's limits, enforced once per process, after its first answer.
        ///
        /// The default is the container's own default.
        open var pruning: PruningPolicy { .default }

        /// Creates the processor from the settings and the container; called once per process.
        public typealias ProcessorFactory =
            @Sendable (ProcessingSettings, SharedContainer) throws -> any AttachmentProcessing

        /// The source of renditions: an `AttachmentProcessor` of `AttachmentPipeline`, which links libvips
        /// into the extension, or a custom one.
        ///
        /// The default throws, which delivers every notification unchanged.
        open var makeProcessor: ProcessorFactory {
            { _, _ in throw ServiceExtensionError.noProcessor }
        }

        /// Called after each delivery; override it to count outcomes or to log elsewhere.
        ///
        /// The default writes to the unified log, without private data. It is called on any thread, before
        /// the system receives the notification.
        open class func didAnswer(_ answer: DeliveryAnswer) { ServiceExtensionLog.write(answer) }

        /// Called for failures that affect every notification.
        ///
        /// The default writes to the unified log. It is called on any thread.
        ///
        /// - Parameter error: The cause: a wrong App Group, an invalid setting, or the system's error for
        ///   a file.
        open class func didFail(with error: any Error) { ServiceExtensionLog.write(error) }

        private let deliveries = DeliveriesUnderWay()

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
            let notification = NotificationContent(
                content, identifier: request.identifier, style: payloadStyle)
            let recipient = Recipient(content: content, contentHandler: contentHandler)
            let (observer, pruning) = (type(of: self), pruning)
            deliveries.begin { ended in
                RemoteDelivery(
                    of: notification, from: notification.remoteAttachment,
                    into: shared.container, by: AttachmentDownload(settings: download),
                    through: shared.stage, deadline: start.advanced(by: delivery.deadline)
                ) { answer in
                    observer.didAnswer(answer)
                    recipient.deliver(answer, observer)
                    ended()
                    shared.pruneOnce(pruning)
                }
            }
        }

        /// Delivers every pending notification with the best answer so far.
        override public final func serviceExtensionTimeWillExpire() {
            deliveries.timeWillExpire()
        }
    }

    // Sendable: the content is a private copy. Only the one call that gives the answer accesses it, after
    // the requesting thread has released it.
    private struct Recipient: @unchecked Sendable {
        let content: UNMutableNotificationContent
        let contentHandler: (UNNotificationContent) -> Void

        func deliver(_ answer: DeliveryAnswer, _ observer: PictureServiceExtension.Type) {
            do {
                try content.attach(answer)
            } catch {
                observer.didFail(with: error)
            }
            contentHandler(content)
        }
    }
#endif
