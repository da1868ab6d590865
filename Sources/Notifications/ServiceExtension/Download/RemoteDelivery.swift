public import AttachmentContainer
public import Foundation
public import NotificationDelivery
public import NotificationPayload

/// A delivery, in a service extension, of a notification whose picture has to be obtained first.
///
/// It gives exactly one answer. Any thread may request the answer at any time, even while the picture
/// arrives.
public final class RemoteDelivery: Sendable {
    private struct State {
        /// As received, and as prepared once it is.
        var notification: NotificationContent
        var inlinePicture: InlinePicture?
        var explain: (@Sendable ([DeliveryReason]) -> URL?)?
        var work: Task<Void, Never>?
        var timer: Deadline?
        var isStaged = false
        var delivery: Delivery?
        var isExpired = false
    }

    private let incoming: URL
    private let isSealed: Bool
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
    ///   - inlinePicture: The picture inside the payload, which is delivered if there is no URL or the
    ///     download fails. The default is nil.
    ///   - container: The container whose `incoming` folder receives the download. The file is
    ///     removed with the answer, or swept if this process is killed.
    ///   - download: The downloader.
    ///   - stage: The stage that makes the answer.
    ///   - deadline: The deadline for the answer, including the download.
    ///   - completion: Called exactly once with the answer, possibly before this method returns.
    public convenience init(
        of notification: NotificationContent, from source: URL?,
        published: PublishedRendition? = nil, inlinePicture: InlinePicture? = nil,
        into container: SharedContainer,
        by download: AttachmentDownload, through stage: DeliveryStage,
        deadline: ContinuousClock.Instant, completion: @escaping @Sendable (DeliveryAnswer) -> Void
    ) {
        let source = source.map {
            PictureSource.request(PictureRequest($0, waitsUntilReady: false))
        }
        self.init(
            of: notification, into: container, by: download, through: stage, deadline: deadline,
            preparing: {
                Preparation(
                    notification, source: source, published: published,
                    inlinePicture: inlinePicture)
            },
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
    ///   - preparing: Prepares the notification; called once. It and the search for the picture are
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
        incoming = URL(fileURLWithPath: container.incomingFolder, isDirectory: true)
        isSealed = container.sealsPictures
        let reading = SourceReading(
            settings: download.settings, folder: incoming, isSealed: isSealed)
        let due = deadline.advanced(by: .zero - Self.timeToAnswer(by: deadline))
        let work = Task {
            do {
                try await obtain(try await preparing(), by: reading, until: due)
            } catch {
                fail(SourceFailure(error).reason)
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
        // Before the cancellation, whose own failure would be another reason.
        if let delivery {
            if isExpired { delivery.timeWillExpire() }
        } else {
            fail(DeliveryReason(DownloadError.late))
        }
        work?.cancel()
    }

    private func obtain(
        _ prepared: Preparation, by reading: SourceReading, until due: ContinuousClock.Instant
    ) async throws {
        state.withLock { state in
            state.notification = prepared.notification
            state.inlinePicture = prepared.inlinePicture
            state.explain = prepared.explain
        }
        guard let source = try await prepared.findSource() else {
            guard let file = inlineFile() else { return begin(.none) }
            return begin(.file(file), ownedFile: file)
        }
        let published = prepared.published?.url == source.plainURL ? prepared.published : nil
        do throws(SourceFailure) {
            let picture = try await reading.picture(of: source, by: due)
            begin(
                picture.attachment, ownedFile: picture.ownedFile, published: published,
                unless: picture.failure?.reason)
        } catch {
            fail(error.reason)
        }
    }

    /// Delivers the picture inside the payload instead, and keeps the reason in the answer; without such a
    /// picture the answer has the reason only.
    private func fail(_ reason: DeliveryReason) {
        guard let file = inlineFile() else { return begin(.unavailable(reason)) }
        begin(.file(file), ownedFile: file, after: reason)
    }

    /// The picture inside the payload as a file, which the stage takes like a download; nil without one.
    ///
    /// Where pictures are sealed it stays in the payload, from which the content extension shows it.
    private func inlineFile() -> URL? {
        guard !isSealed, let picture = state.withLock(\.inlinePicture) else { return nil }
        let file = incoming.appendingPathComponent("\(UUID().uuidString).avif")
        do {
            try Data(picture.file).write(to: file)
        } catch {
            return nil
        }
        return file
    }

    /// Passes the attachment to the stage.
    ///
    /// `failure` is a reason of every answer, `lesser` of those without the renditions requested.
    private func begin(
        _ attachment: DeliveryRequest.Attachment, ownedFile: URL? = nil,
        published: PublishedRendition? = nil, after failure: DeliveryReason? = nil,
        unless lesser: DeliveryReason? = nil
    ) {
        let (notification, isFirst, timer, explain) = state.withLock { state in
            defer { state.isStaged = true }
            return (state.notification, !state.isStaged, state.timer, state.explain)
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
            let isFull = answer.outcome.kind == .rendition
            let reason = failure ?? (isFull ? nil : lesser)
            let complete = reason.map(answer.adding) ?? answer
            completion(attachment == .none ? complete : complete.explained(by: explain))
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

extension DeliveryAnswer {
    /// The answer with a drawing that explains its reasons, if it has no picture and the app asks for one.
    fileprivate func explained(
        by explain: (@Sendable ([DeliveryReason]) -> URL?)?
    ) -> DeliveryAnswer {
        guard outcome.kind == .withoutPicture, let drawing = explain?(reasons) else { return self }
        return withExplanation(drawing)
    }
}
