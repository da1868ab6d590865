public import AttachmentContainer
public import Foundation
public import NotificationDelivery
public import NotificationPayload

/// A delivery, in a service extension, of a notification whose attachment is downloaded first.
///
/// It gives exactly one answer. Any thread may request the answer at any time, even during the
/// download.
public final class RemoteDelivery: Sendable {
    private struct State {
        var download: Task<Void, Never>?
        var isStaged = false
        var delivery: Delivery?
        var isExpired = false
    }

    private let notification: NotificationContent
    private let published: PublishedRendition?
    private let stage: DeliveryStage
    private let deadline: ContinuousClock.Instant
    private let completion: @Sendable (DeliveryAnswer) -> Void
    private let state = Lock(State())

    /// Begins a delivery.
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
    public init(
        of notification: NotificationContent, from source: URL?,
        published: PublishedRendition? = nil, into container: SharedContainer,
        by download: AttachmentDownload, through stage: DeliveryStage,
        deadline: ContinuousClock.Instant, completion: @escaping @Sendable (DeliveryAnswer) -> Void
    ) {
        self.notification = notification
        self.published = published
        self.stage = stage
        self.deadline = deadline
        self.completion = completion
        guard let source else {
            begin(.none)
            return
        }
        let folder = URL(fileURLWithPath: container.incomingFolder, isDirectory: true)
        let due = deadline.advanced(by: .zero - Self.timeToAnswer(by: deadline))
        let task = Task {
            do throws(DownloadError) {
                begin(.file(try await download.file(from: source, into: folder, by: due)))
            } catch {
                begin(.unavailable(DeliveryReason(error)))
            }
        }
        state.withLock { $0.download = task }
    }

    /// Ends the delivery at once with the best answer so far.
    ///
    /// Call it from `serviceExtensionTimeWillExpire()`. It does nothing after the answer.
    public func timeWillExpire() {
        let (download, delivery) = state.withLock { state in
            state.isExpired = true
            return (state.download, state.delivery)
        }
        download?.cancel()
        if let delivery {
            delivery.timeWillExpire()
        } else {
            begin(.unavailable(DeliveryReason(DownloadError.late)))
        }
    }

    private func begin(_ attachment: DeliveryRequest.Attachment) {
        let file: URL? = if case .file(let file) = attachment { file } else { nil }
        let isFirst = state.withLock { state in
            defer { state.isStaged = true }
            return !state.isStaged
        }
        guard isFirst else {
            if let file { Self.remove(file) }
            return
        }
        var request = DeliveryRequest(notification, attachment: attachment, deadline: deadline)
        request.published = published
        let delivery = stage.begin(request) { [completion] answer in
            // Any remaining reader holds the file open.
            if let file, answer.picture != file { Self.remove(file) }
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
