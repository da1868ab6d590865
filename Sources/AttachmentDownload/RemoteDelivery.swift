public import AttachmentContainer
public import Foundation
public import NotificationDelivery
public import NotificationPayload
import Synchronization

/// A notification on its way whose attachment is downloaded first: that of a service extension.
///
/// Its answer comes exactly once, and it can be called for at any moment from any thread, during the
/// download as well.
public final class RemoteDelivery: Sendable {
    private struct State {
        var download: Task<Void, Never>?
        var isStaged = false
        var delivery: Delivery?
        var isExpired = false
    }

    private let notification: NotificationContent
    private let stage: DeliveryStage
    private let deadline: ContinuousClock.Instant
    private let completion: @Sendable (DeliveryAnswer) -> Void
    private let state = Mutex(State())

    /// Begins a delivery.
    ///
    /// - Parameters:
    ///   - notification: The notification as it came in.
    ///   - source: Where its attachment is; nil when it has none.
    ///   - container: Where the download goes meanwhile, among what is being made: it is removed with
    ///     the answer, and swept should this process be killed.
    ///   - download: What downloads it.
    ///   - stage: What makes the answer.
    ///   - deadline: When the answer must be there, download included.
    ///   - completion: Called exactly once with the answer, perhaps before this returns.
    public init(
        of notification: NotificationContent, from source: URL?, into container: SharedContainer,
        by download: AttachmentDownload, through stage: DeliveryStage,
        deadline: ContinuousClock.Instant,
        completion: @escaping @Sendable (DeliveryAnswer) -> Void
    ) {
        self.notification = notification
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

    /// Gives the best answer so far, at once.
    ///
    /// For `serviceExtensionTimeWillExpire()`. Once there is an answer, it does nothing.
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

    /// Hands the notification to the stage, unless it was.
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
        let request = DeliveryRequest(notification, attachment: attachment, deadline: deadline)
        let delivery = stage.begin(request) { [completion] answer in
            // What is still reading it has it open; what is not has nothing to read it for.
            if let file, answer.picture != file { Self.remove(file) }
            completion(answer)
        }
        let isExpired = state.withLock { state in
            state.delivery = delivery
            return state.isExpired
        }
        if isExpired { delivery.timeWillExpire() }
    }

    /// What is left when the download must be done: enough to attach what came as it is, and to tell
    /// what did not.
    private static func timeToAnswer(by deadline: ContinuousClock.Instant) -> Duration {
        max(.zero, min(.milliseconds(500), ContinuousClock.now.duration(to: deadline) / 4))
    }

    private static func remove(_ file: URL) {
        // What cannot be removed now is swept with everything stale in the folder.
        try? FileManager.default.removeItem(at: file)
    }
}

extension DeliveryReason {
    /// Takes over why an attachment could not be downloaded.
    ///
    /// - Parameter error: What the download threw. Its detail is left out.
    public init(_ error: DownloadError) {
        self.init(
            Code(rawValue: error.code.rawValue), message: error.reason, remedy: error.code.remedy)
    }
}
