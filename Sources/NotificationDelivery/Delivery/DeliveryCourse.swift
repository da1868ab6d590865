import AttachmentIntake
import AttachmentPlanning
import Dispatch
import Logging
import NotificationPayload

/// The steps from a notification to its answer.
struct DeliveryCourse: Sendable {
    let request: DeliveryRequest
    let deadline: ContinuousClock.Instant
    let stage: DeliveryStage
    let delivery: Delivery
    /// Where files are touched: one after the other, and on no thread that tasks run on.
    let files = DispatchQueue(label: "thimble.delivery")

    /// Prepares the course of one delivery.
    ///
    /// - Parameters:
    ///   - request: The notification and where its attachment is.
    ///   - deadline: When the answer is due.
    ///   - stage: What it goes through.
    ///   - delivery: Who gets the answer.
    init(
        of request: DeliveryRequest, until deadline: ContinuousClock.Instant,
        in stage: DeliveryStage, for delivery: Delivery
    ) {
        self.request = request
        self.deadline = deadline
        self.stage = stage
        self.delivery = delivery
    }

    /// Sets out.
    func start() {
        delivery.answer(by: deadline)
        Task { await run() }
    }

    /// The steps, from top to bottom.
    private func run() async {
        switch request.attachment {
        case .none: delivery.settle(Draft(reasons: [.noAttachment]))
        case .unavailable(let reason): await settleWithoutOriginal(reason)
        case .file(let url):
            let opened = await touchingFiles {
                Result { () throws(DeliveryReason) in
                    let original = Original(
                        try stage.configuration.allowedRoots.open(url), stage.configuration)
                    forgetEarlierRenditions(unlessOf: original)
                    return original
                }
            }
            switch opened {
            case .success(let original): await run(original)
            case .failure(let reason): await settleWithoutOriginal(reason)
            }
        }
    }

    /// Has renditions made, and goes down where that fails.
    private func run(_ original: Original) async {
        let standIn = StandIn { self.standIn(for: original, isDamaged: $0) }
        let alarm = Alarm(at: .now + standInDelay) {
            files.async { hold(standIn) }
        }
        defer { alarm.cancel() }
        let error: AttachmentError
        switch await attempt(original, until: deadline - timeForLowerRung) {
        case .success(let processed): return await settle { draft(of: processed) }
        case .failure(let failure): error = failure
        }
        files.async {
            standIn.explain(by: error)
            hold(standIn)
        }
        for rung in error.code.rungsToTryBelow where !delivery.isAnswered {
            switch await attempt(original, until: deadline, below: rung) {
            case .success(let processed):
                return await settle { draft(of: processed, after: error) }
            case .failure(let failure):
                stage.logger.debug("no lower rung", metadata: ["code": "\(failure.code)"])
            }
        }
        await settle { standIn.draft }
    }

    /// Makes a stand-in the best answer so far.
    private func hold(_ standIn: StandIn) {
        if !delivery.isAnswered { delivery.hold(standIn.draft) }
    }

    /// Has the processor work on the file that was checked, until a moment.
    private func attempt(
        _ original: Original, until deadline: ContinuousClock.Instant,
        below rung: Plan.Rung? = nil
    ) async -> Result<ProcessedAttachment, AttachmentError> {
        var attachment = AttachmentRequest(
            path: original.file.path, identifier: request.notification.identifier,
            category: request.notification.categoryIdentifier, deadline: deadline, below: rung)
        do throws(AttachmentError) {
            attachment.file = try original.file.attachment()
        } catch {
            return .failure(error)
        }
        return await attempt(attachment)
    }

    /// Without bytes to compare, what was made for this very identifier is the best there is.
    private func settleWithoutOriginal(_ reason: DeliveryReason) async {
        await settle { (earlierRenditions() ?? Draft()).because([reason]) }
    }

    /// Gives the answer, unless there is one.
    private func settle(_ draft: @escaping @Sendable () -> Draft) async {
        await touchingFiles {
            if !delivery.isAnswered { delivery.settle(draft()) }
        }
    }

    /// Runs what touches files.
    private func touchingFiles<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            files.async { continuation.resume(returning: work()) }
        }
    }

    private var timeLeft: Duration { max(.zero, ContinuousClock.now.duration(to: deadline)) }

    /// What is kept back for a lower rung.
    private var timeForLowerRung: Duration {
        min(stage.configuration.timeForLowerRung, timeLeft / 4)
    }

    /// How long the processor has before the stand-in is prepared beside it.
    ///
    /// Most renditions are there within a quarter of a second, and then nothing was copied in vain.
    private var standInDelay: Duration { min(.milliseconds(250), timeLeft / 4) }
}
