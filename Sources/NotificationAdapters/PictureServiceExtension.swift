#if canImport(UserNotifications)
    public import AttachmentContainer
    public import AttachmentDownload
    public import AttachmentIntake
    public import AttachmentPlanning
    import Foundation
    public import NotificationDelivery
    public import NotificationPayload
    public import UserNotifications

    /// A service extension that downloads a notification's picture, makes what the content extension
    /// will show, and attaches it.
    ///
    /// Subclass it, name the App Group and say what makes the renditions:
    ///
    /// ```swift
    /// final class NotificationService: PictureServiceExtension {
    ///     override var appGroup: String { "group.example.daily-pick" }
    ///     override var makeProcessor: ProcessorFactory {
    ///         { try AttachmentProcessor(settings: $0, container: $1) }
    ///     }
    /// }
    /// ```
    ///
    /// Whatever fails, the system gets the notification exactly once and in time: with a picture if
    /// there is one, else as it came. The system makes an instance for every notification, several at
    /// a time in one process. They share one processor, and so its one cap.
    open class PictureServiceExtension: UNNotificationServiceExtension {
        /// The App Group that the content extension reads from.
        ///
        /// The default is none, with which every notification is delivered as it came.
        open var appGroup: String { "" }

        /// The categories whose notifications get a picture; nil for all.
        ///
        /// The default is all. Others are delivered as they came.
        open var categories: Set<String>? { nil }

        /// What is asked of the renditions, and the cap.
        ///
        /// The default is every default: 24 MiB.
        open var settings: ProcessingSettings { ProcessingSettings() }

        /// Where payloads name their picture.
        ///
        /// The default is to look at the keys of every style.
        open var payloadStyle: PayloadStyle { .auto }

        /// What a download may take, and from where.
        ///
        /// The default is 50 MB, by `https` alone.
        open var download: DownloadSettings { DownloadSettings() }

        /// What the stage may spend and hand out.
        ///
        /// The default is every default: an answer after 25 seconds of the system's 30.
        open var delivery: DeliveryStage.Configuration { DeliveryStage.Configuration() }

        /// What the container may hold; what is over goes once a process, after its first answer.
        ///
        /// The default is the container's own default.
        open var pruning: PruningPolicy { .default }

        /// Makes what makes the renditions, out of the settings and the container; called once a
        /// process.
        public typealias ProcessorFactory =
            @Sendable (ProcessingSettings, SharedContainer) throws -> any AttachmentProcessing

        /// What makes the renditions: an `AttachmentProcessor` of `AttachmentPipeline`, which brings
        /// libvips into the extension, or one of your own.
        ///
        /// The default has none, with which every notification is delivered as it came.
        open var makeProcessor: ProcessorFactory {
            { _, _ in throw ServiceExtensionError.noProcessor }
        }

        /// Tells what became of a notification; override it to count or to log elsewhere.
        ///
        /// The default writes it to the unified log, without anything of the notification. It is
        /// called on any thread, before the system gets the notification.
        ///
        /// - Parameter answer: What became of it.
        open class func didAnswer(_ answer: DeliveryAnswer) { ServiceExtensionLog.write(answer) }

        /// Tells of what keeps a notification from getting a picture, and would every other.
        ///
        /// The default writes it to the unified log. It is called on any thread.
        ///
        /// - Parameter error: What is in the way: a wrong App Group, a setting outside its range, or
        ///   what the system has against a file.
        open class func didFail(with error: any Error) { ServiceExtensionLog.write(error) }

        private let deliveries = DeliveriesUnderWay()

        /// Takes a notification, and hands it to the system with what can be attached in time.
        ///
        /// - Parameters:
        ///   - request: The notification.
        ///   - contentHandler: Gets it exactly once.
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
                    recipient.take(answer, observer)
                    ended()
                    shared.pruneOnce(pruning)
                }
            }
        }

        /// Hands every notification under way to the system with the best that there is.
        override public final func serviceExtensionTimeWillExpire() {
            deliveries.timeWillExpire()
        }
    }

    /// The system, waiting for a notification.
    // Sendable: nobody else holds the content, which is a copy; and it is touched by the one who gives
    // the answer, of whom there is one, after the one who asks for it has let go.
    private struct Recipient: @unchecked Sendable {
        let content: UNMutableNotificationContent
        let contentHandler: (UNNotificationContent) -> Void

        func take(_ answer: DeliveryAnswer, _ observer: PictureServiceExtension.Type) {
            do {
                try content.attach(answer)
            } catch {
                observer.didFail(with: error)
            }
            contentHandler(content)
        }
    }
#endif
