import AttachmentContainer
import AttachmentModel
import Dispatch
import Logging
import NotificationPayload

struct DeliveryRun: Sendable {
    let request: DeliveryRequest
    let deadline: ContinuousClock.Instant
    let stage: DeliveryStage
    let delivery: Delivery
    /// A serial queue for file access, which keeps it off the task threads.
    let fileQueue = DispatchQueue(label: "thimble.delivery")
    /// The identity of the file when it was opened; nil before, and if it may not be remembered.
    let identity = Lock<PictureIdentity?>(nil)

    func start() { Task { await run() } }

    private func run() async {
        switch request.attachment {
        case .none: delivery.finish(Draft(reasons: [.noAttachment]))
        case .unavailable(let reason): await finishWithoutOriginal(reason)
        case .file(let url):
            await run { () throws(DeliveryReason) in
                let file = try stage.configuration.allowedRoots.open(url)
                identity.withLock { $0 = file.identity }
                return file
            }
        case .opened(let file): await run { file }
        }
    }

    private func run(_ open: @escaping @Sendable () throws(DeliveryReason) -> AllowedFile) async {
        let opened = await onFileQueue {
            Result { () throws(DeliveryReason) in
                let original = Original(try open(), stage.configuration)
                removeStaleRenditions(unlessOf: original)
                return original
            }
        }
        switch opened {
        case .success(let original): await run(original)
        case .failure(let reason): await finishWithoutOriginal(reason)
        }
    }

    private func run(_ original: Original) async {
        if let published = request.published,
            let kept = await onFileQueue({ kept(original, as: published) })
        {
            return await finish { draft(of: kept) }
        }
        let fallback = Fallback { self.fallback(for: original, isDamaged: $0) }
        let start = ContinuousClock.now
        // Later, because it would take the warm worker from the attempt.
        let preparation = Task {
            try await Deadline.sleep(until: start + fallbackDelay)
            await inspect(original)
            fileQueue.async { updateBest(fallback) }
        }
        defer { preparation.cancel() }
        let error: AttachmentError
        switch await attempt(original, until: deadline - timeForLowerRung) {
        case .success(let processed): return await finish { draft(of: processed) }
        case .failure(let failure): error = failure
        }
        fileQueue.async {
            fallback.record(error)
            if original.isInspected { updateBest(fallback) }
        }
        for rung in error.code.rungsToTryBelow where !delivery.isAnswered {
            switch await attempt(original, until: deadline, below: rung) {
            case .success(let processed): return await finish { draft(of: processed, after: error) }
            case .failure(let failure):
                stage.logger.debug(
                    "the attempt on a lower rung failed", metadata: ["code": "\(failure.code)"])
            }
        }
        if !original.isInspected { await inspect(original) }
        await finish { fallback.draft }
    }

    /// Has the processor read the header, which decides if the original may be attached.
    private func inspect(_ original: Original) async {
        let result: Result<InspectedAttachment, AttachmentError>
        do throws(AttachmentError) {
            result = .success(
                try await stage.processor.inspect(attachmentRequest(original, until: deadline)))
        } catch {
            result = .failure(error)
        }
        original.record(result)
    }

    private func attachmentRequest(
        _ original: Original, until deadline: ContinuousClock.Instant, below rung: Rung? = nil
    ) throws(AttachmentError) -> AttachmentRequest {
        var attachment = AttachmentRequest(
            path: original.file.path, identifier: request.notification.identifier,
            category: request.notification.categoryIdentifier, deadline: deadline, below: rung)
        attachment.naming = request.naming
        attachment.file = try original.file.attachment()
        return attachment
    }

    private func updateBest(_ fallback: Fallback) {
        if !delivery.isAnswered { delivery.updateBest(fallback.draft) }
    }

    private func attempt(
        _ original: Original, until deadline: ContinuousClock.Instant, below rung: Rung? = nil
    ) async -> Result<ProcessedAttachment, AttachmentError> {
        do throws(AttachmentError) {
            return await attempt(try attachmentRequest(original, until: deadline, below: rung))
        } catch {
            return .failure(error)
        }
    }

    /// Answers with the container's renditions for this identifier, since there are no bytes to compare.
    private func finishWithoutOriginal(_ reason: DeliveryReason) async {
        await finish { (earlierRenditions() ?? Draft()).adding(reasons: [reason]) }
    }

    private func finish(_ draft: @escaping @Sendable () -> Draft) async {
        await onFileQueue {
            if !delivery.isAnswered { delivery.finish(draft()) }
        }
    }

    private func onFileQueue<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value
    ) async -> Value {
        await withCheckedContinuation { continuation in
            fileQueue.async { continuation.resume(returning: work()) }
        }
    }

    private var timeLeft: Duration { max(.zero, ContinuousClock.now.duration(to: deadline)) }

    private var timeForLowerRung: Duration {
        min(stage.configuration.timeForLowerRung, timeLeft / 4)
    }

    /// Delay before the fallback is prepared in parallel.
    ///
    /// Most renditions are ready within a quarter of a second and need no fallback.
    private var fallbackDelay: Duration { min(.milliseconds(250), timeLeft / 4) }
}
