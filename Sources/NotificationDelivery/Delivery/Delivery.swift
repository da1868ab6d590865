import AttachmentContainer
import Foundation
import Logging
import NotificationPayload
import Synchronization

/// One notification on its way, whose answer can be called for at any moment.
///
/// The best answer so far is ready at all times, its file included: calling for it takes no work. May
/// be used from any thread.
public final class Delivery: Sendable {
    /// The answer that stands so far, and what is to be stopped once it is given.
    private struct Pending {
        var best = Draft()
        var alarm: Alarm?
        var interrupt: (@Sendable () -> Void)?
    }

    private let notification: NotificationContent
    private let completion: @Sendable (DeliveryAnswer) -> Void
    private let logger: Logger
    private let start = ContinuousClock.now
    /// Nil once the answer was given.
    private let pending = Mutex<Pending?>(Pending())

    /// Begins to wait for an answer.
    ///
    /// - Parameters:
    ///   - notification: The notification as it came in.
    ///   - logger: Gets the answer, without anything private.
    ///   - completion: Called exactly once.
    init(
        of notification: NotificationContent, logger: Logger,
        completion: @escaping @Sendable (DeliveryAnswer) -> Void
    ) {
        self.notification = notification
        self.logger = logger
        self.completion = completion
    }

    /// Gives the best answer so far, on the calling thread, before it returns.
    ///
    /// For `serviceExtensionTimeWillExpire()`. Once there is an answer, or another thread is giving
    /// it, it does nothing.
    public func timeWillExpire() {
        answer { $0.because([.expired]) }
    }

    /// Withdraws the attachment: the answer is the notification without a picture, on the calling
    /// thread, before it returns; the work stops.
    ///
    /// Once there is an answer, it does nothing.
    public func cancel() {
        answer { _ in Draft(reasons: [.cancelled]) }
    }

    /// Whether the answer was given.
    var isAnswered: Bool { pending.withLock { $0 == nil } }

    /// Gives the best answer so far at a moment.
    ///
    /// - Parameter deadline: The moment.
    func answer(by deadline: ContinuousClock.Instant) {
        let alarm = Alarm(at: deadline) { self.answer { $0.because([.deadline]) } }
        let isPending = pending.withLock { pending in
            pending?.alarm = alarm
            return pending != nil
        }
        if !isPending { alarm.cancel() }
    }

    /// Takes what is the best answer so far, in place of what was; drops it when there is an answer.
    func hold(_ draft: Draft) {
        let former = pending.withLock { pending in
            defer { pending?.best = draft }
            return pending?.best
        }
        if let former {
            former.discardFile(for: draft)
        } else {
            draft.picture?.file.discard()
        }
    }

    /// Gives the answer; drops it when there was one already.
    ///
    /// - Parameter draft: The answer.
    /// - Returns: Whether it was given.
    @discardableResult
    func settle(_ draft: Draft) -> Bool {
        let isGiven = answer { _ in draft }
        if !isGiven { draft.picture?.file.discard() }
        return isGiven
    }

    /// Says what is to be called once the answer is given; at once when it was.
    func interrupting(_ interrupt: @escaping @Sendable () -> Void) {
        let isPending = pending.withLock { pending in
            pending?.interrupt = interrupt
            return pending != nil
        }
        if !isPending { interrupt() }
    }

    /// Gives an answer made of the best one so far, exactly once.
    @discardableResult
    private func answer(_ choose: (Draft) -> Draft) -> Bool {
        let taken = pending.withLock { pending -> (pending: Pending, draft: Draft)? in
            guard let taken = pending else { return nil }
            pending = nil
            let draft = choose(taken.best)
            // Under the lock: who finds the answer given drops its own file right after, which may
            // be this one.
            draft.picture?.file.leave()
            return (taken, draft)
        }
        guard let (taken, draft) = taken else { return false }
        // Before anybody hears of the answer, so that nothing is left when it comes.
        taken.best.discardFile(for: draft)
        let answer = DeliveryAnswer(draft, of: notification, after: start.duration(to: .now))
        completion(answer)
        taken.alarm?.cancel()
        taken.interrupt?()
        logger.debug(
            "answered",
            metadata: [
                "key": "\(ContentDigest(of: notification.identifier))",
                "outcome": "\(answer.outcome.kind.rawValue)",
                "milliseconds": "\(Int(answer.elapsed / .milliseconds(1)))",
                "reasons": .array(answer.reasons.map { "\($0.code.rawValue)" }),
            ])
        return true
    }
}

extension DeliveryAnswer {
    /// Finishes a draft.
    fileprivate init(_ draft: Draft, of notification: NotificationContent, after elapsed: Duration)
    {
        let url = draft.picture?.file.url
        let attached = url.map { url in
            var reference =
                notification.attachments.first ?? AttachmentReference(identifier: "", location: "")
            reference.location = url.absoluteString
            reference.typeHint = draft.picture?.type.identifier
            return reference
        }
        var notification = notification
        notification.attachments = attached.map { [$0] } ?? []
        self.init(
            notification: notification, outcome: draft.outcome, picture: url,
            typeIdentifier: draft.picture?.type.identifier, thumbnailClipping: draft.clipping,
            reasons: draft.reasons, elapsed: elapsed)
    }
}

extension DeliveryReason {
    fileprivate static let deadline = DeliveryReason(
        .deadline, message: "the answer was due before the work was done",
        remedy: "allow more time, or send a smaller picture")
    fileprivate static let expired = DeliveryReason(
        .expired, message: "the system asked for the answer before the work was done",
        remedy: "send a smaller picture")
    fileprivate static let cancelled = DeliveryReason(
        .cancelled, message: "the attachment was withdrawn",
        remedy: "deliver the notification again")
}
