import AttachmentContainer
import Foundation
import Logging
import NotificationPayload

/// A delivery in progress, whose answer can be requested at any time.
///
/// The best answer so far is always ready, including its file, so requesting it takes no work. Safe
/// to use from any thread.
public final class Delivery: Sendable {
    private struct Pending {
        var best = Draft()
        var deadline: Deadline?
        var onAnswer: (@Sendable () -> Void)?
        var onDraft: (@Sendable (Draft) -> Void)?
    }

    private let notification: NotificationContent
    private let completion: @Sendable (DeliveryAnswer) -> Void
    private let logger: Logger
    private let start = ContinuousClock.now
    /// Nil after the answer.
    private let pending = Lock<Pending?>(Pending())

    init(
        of notification: NotificationContent, logger: Logger,
        completion: @escaping @Sendable (DeliveryAnswer) -> Void
    ) {
        self.notification = notification
        self.logger = logger
        self.completion = completion
    }

    /// Gives the best answer so far, on the calling thread, before returning.
    ///
    /// For `serviceExtensionTimeWillExpire()`. It has no effect if an answer exists, or another thread
    /// is giving one.
    public func timeWillExpire() {
        answer { $0.adding(reasons: [.expired]) }
    }

    /// Cancels the delivery: stops the work and answers without a picture.
    ///
    /// The answer is given on the calling thread, before this method returns. It has no effect if an
    /// answer exists.
    public func cancel() {
        answer { _ in Draft(reasons: [.cancelled]) }
    }

    var isAnswered: Bool { pending.withLock { $0 == nil } }

    /// True if the best answer so far has a picture.
    var hasPicture: Bool { pending.withLock { $0?.best.picture != nil } }

    func answer(by deadline: ContinuousClock.Instant) {
        // Blocks as long as the completion does.
        let deadline = Deadline(at: deadline, mayBlock: true) {
            self.answer { $0.adding(reasons: [.deadline]) }
        }
        let isPending = pending.withLock { pending in
            pending?.deadline = deadline
            return pending != nil
        }
        if !isPending { deadline.cancel() }
    }

    /// Replaces the best answer so far; discards the draft if an answer exists.
    func updateBest(_ draft: Draft) {
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

    /// Gives the answer; discards the draft and returns false if an answer exists.
    @discardableResult
    func finish(_ draft: Draft) -> Bool {
        let isAccepted = answer { _ in draft }
        if !isAccepted { draft.picture?.file.discard() }
        return isAccepted
    }

    /// Sets an action to run after the answer; runs it immediately if an answer exists.
    func onAnswer(_ action: @escaping @Sendable () -> Void) {
        let isPending = pending.withLock { pending in
            pending?.onAnswer = action
            return pending != nil
        }
        if !isPending { action() }
    }

    /// Sets an action to run with the answer, before the completion.
    func onDraft(_ action: @escaping @Sendable (Draft) -> Void) {
        let isPending = pending.withLock { pending in
            pending?.onDraft = action
            return pending != nil
        }
        // The deadline passed before the work began.
        if !isPending { action(Draft(reasons: [.deadline])) }
    }

    /// Gives an answer, derived from the best one so far, exactly once.
    @discardableResult
    private func answer(_ choose: (Draft) -> Draft) -> Bool {
        let taken = pending.withLock { pending -> (pending: Pending, draft: Draft)? in
            guard let taken = pending else { return nil }
            pending = nil
            let draft = choose(taken.best)
            // Under the lock: a caller that finds an answer discards its own file, which may be this
            // one.
            draft.picture?.file.handOver()
            return (taken, draft)
        }
        guard let (taken, draft) = taken else { return false }
        // Before the completion, so that no file is left when it runs.
        taken.best.discardFile(for: draft)
        taken.onDraft?(draft)
        let answer = DeliveryAnswer(draft, of: notification, after: start.duration(to: .now))
        completion(answer)
        taken.deadline?.cancel()
        taken.onAnswer?()
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

extension DeliveryReason {
    fileprivate static let deadline = DeliveryReason(
        .deadline, reason: "the deadline passed before processing finished")
    fileprivate static let expired = DeliveryReason(
        .expired, reason: "the system required an answer before processing finished")
    fileprivate static let cancelled = DeliveryReason(
        .cancelled, reason: "the delivery was cancelled")
}
