public import AttachmentContainer
public import Foundation
public import NotificationDelivery
public import NotificationPayload

/// A delivery, in a service extension, of a notification whose picture has to be obtained first.
///
/// It gives exactly one answer. Any thread may request the answer at any time, even while the picture
/// arrives.
public final class RemoteDelivery: Sendable {
    /// A notification that is ready to be delivered, and the source of its picture.
    public struct Preparation: Sendable {
        /// The notification.
        public var notification: NotificationContent
        /// The source of its picture; nil without a picture.
        public var source: PictureSource?
        /// The rendition that the source is, if a server published it.
        public var published: PublishedRendition?

        /// Creates a preparation.
        ///
        /// - Parameters:
        ///   - notification: The notification.
        ///   - source: The source of its picture; nil without a picture.
        ///   - published: The rendition that the source is. The default is nil.
        public init(
            _ notification: NotificationContent, source: PictureSource?,
            published: PublishedRendition? = nil
        ) {
            self.notification = notification
            self.source = source
            self.published = published
        }
    }

    private struct State {
        /// As received, and as prepared once it is.
        var notification: NotificationContent
        var work: Task<Void, Never>?
        var timer: Deadline?
        var isStaged = false
        var delivery: Delivery?
        var isExpired = false
    }

    private let stage: DeliveryStage
    private let deadline: ContinuousClock.Instant
    private let completion: @Sendable (DeliveryAnswer) -> Void
    private let state: Lock<State>

    /// Begins the delivery of a notification with a URL.
    ///
    /// - Parameters:
    ///   - notification: The notification as received.
    ///   - source: The attachment's URL; nil if the notification has none.
    ///   - published: The rendition at that URL, if a server published it. The default is nil.
    ///   - container: The container whose `incoming` folder receives the download. The file is
    ///     removed with the answer, or swept if this process is killed.
    ///   - download: The downloader.
    ///   - stage: The stage that makes the answer.
    ///   - deadline: The deadline for the answer, including the download.
    ///   - completion: Called exactly once with the answer, possibly before this method returns.
    public convenience init(
        of notification: NotificationContent, from source: URL?,
        published: PublishedRendition? = nil, into container: SharedContainer,
        by download: AttachmentDownload, through stage: DeliveryStage,
        deadline: ContinuousClock.Instant, completion: @escaping @Sendable (DeliveryAnswer) -> Void
    ) {
        let source = source.map {
            PictureSource.request(PictureRequest($0, waitsUntilReady: false))
        }
        self.init(
            of: notification, into: container, by: download, through: stage, deadline: deadline,
            preparing: { Preparation(notification, source: source, published: published) },
            completion: completion)
    }

    /// Begins the delivery of a notification that has to be prepared first, for example decrypted.
    ///
    /// If the preparation fails or takes too long, the notification is delivered as received, without a
    /// picture.
    ///
    /// - Parameters:
    ///   - notification: The notification as received.
    ///   - container: The container whose `incoming` folder receives the picture.
    ///   - download: The downloader.
    ///   - stage: The stage that makes the answer.
    ///   - deadline: The deadline for the answer, including preparation and picture.
    ///   - preparing: Prepares the notification and finds the source of its picture; called once, and
    ///     cancelled with the answer.
    ///   - completion: Called exactly once with the answer.
    public init(
        of notification: NotificationContent, into container: SharedContainer,
        by download: AttachmentDownload, through stage: DeliveryStage,
        deadline: ContinuousClock.Instant,
        preparing: @escaping @Sendable () async throws -> Preparation,
        completion: @escaping @Sendable (DeliveryAnswer) -> Void
    ) {
        state = Lock(State(notification: notification))
        self.stage = stage
        self.deadline = deadline
        self.completion = completion
        let reading = SourceReading(
            settings: download.settings,
            folder: URL(fileURLWithPath: container.incomingFolder, isDirectory: true))
        let due = deadline.advanced(by: .zero - Self.timeToAnswer(by: deadline))
        let work = Task {
            do {
                try await obtain(try await preparing(), by: reading, until: due)
            } catch {
                begin(.unavailable(SourceFailure(error).reason))
            }
        }
        // The app's code may ignore the cancellation.
        let timer = Deadline(at: due, mayBlock: true) { [weak self] in self?.end(isExpired: false) }
        let isStaged = state.withLock { state in
            (state.work, state.timer) = (work, timer)
            return state.isStaged
        }
        if isStaged { timer.cancel() }
    }

    /// Ends the delivery at once with the best answer so far.
    ///
    /// Call it from `serviceExtensionTimeWillExpire()`. It does nothing after the answer.
    public func timeWillExpire() { end(isExpired: true) }

    /// Stops the work on the picture; `isExpired` also answers at once.
    private func end(isExpired: Bool) {
        let (work, delivery) = state.withLock { state in
            if isExpired { state.isExpired = true }
            return (state.work, state.delivery)
        }
        work?.cancel()
        if let delivery {
            if isExpired { delivery.timeWillExpire() }
        } else {
            begin(.unavailable(DeliveryReason(DownloadError.late)))
        }
    }

    private func obtain(
        _ prepared: Preparation, by reading: SourceReading, until due: ContinuousClock.Instant
    ) async throws {
        state.withLock { $0.notification = prepared.notification }
        guard let source = prepared.source else { return begin(.none) }
        do throws(SourceFailure) {
            let picture = try await reading.picture(of: source, by: due)
            begin(
                picture.attachment, ownedFile: picture.ownedFile, published: prepared.published)
        } catch {
            begin(.unavailable(error.reason))
        }
    }

    private func begin(
        _ attachment: DeliveryRequest.Attachment, ownedFile: URL? = nil,
        published: PublishedRendition? = nil
    ) {
        let (notification, isFirst, timer) = state.withLock { state in
            defer { state.isStaged = true }
            return (state.notification, !state.isStaged, state.timer)
        }
        timer?.cancel()
        guard isFirst else {
            if let ownedFile { Self.remove(ownedFile) }
            return
        }
        var request = DeliveryRequest(notification, attachment: attachment, deadline: deadline)
        request.published = published
        let delivery = stage.begin(request) { [completion] answer in
            // Any remaining reader holds the file open.
            if let ownedFile, answer.picture != ownedFile { Self.remove(ownedFile) }
            completion(answer)
        }
        let isExpired = state.withLock { state in
            state.delivery = delivery
            return state.isExpired
        }
        if isExpired { delivery.timeWillExpire() }
    }

    /// Time reserved after the download for attaching the original file or reporting the failure.
    private static func timeToAnswer(by deadline: ContinuousClock.Instant) -> Duration {
        max(.zero, min(.milliseconds(500), ContinuousClock.now.duration(to: deadline) / 4))
    }

    private static func remove(_ file: URL) {
        // If this fails, the file is swept once it is stale.
        try? FileManager.default.removeItem(at: file)
    }
}

extension DeliveryReason {
    /// Converts a download error, without its detail.
    public init(_ error: DownloadError) { self.init(error.fault) }
}
