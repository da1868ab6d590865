import CoreMetrics
import NotificationDelivery
import NotificationPayload
import NotificationStaging
import PrometheusMetrics

/// The pre-delivery stage for payloads, behind the queue.
struct PayloadStaging: Sendable {
    private let stager: PayloadStager
    private let queue: WorkQueue
    private let metrics: ServiceMetrics

    init(_ stager: PayloadStager, _ queue: WorkQueue, _ metrics: ServiceMetrics) {
        var stager = stager
        stager.report = { metrics.record($0) }
        self.stager = stager
        self.queue = queue
        self.metrics = metrics
    }

    /// `limit` is the maximum size of the payload, in bytes; nil for the limit of the settings.
    func plan(_ document: JSONDocument, limit: Int? = nil) throws(Problem) -> PayloadPlan {
        do throws(PayloadError) {
            return try stager.plan(document, limit: limit)
        } catch {
            throw Problem(error)
        }
    }

    /// The outcome if it needs neither a worker nor a transfer; nil otherwise.
    func known(_ plan: PayloadPlan) -> StagedPayload? {
        guard let staged = stager.known(plan) else { return nil }
        metrics.cacheHits.increment(by: staged.answers.count)
        return recorded(staged)
    }

    /// Stages one payload by a deadline; on cancellation, the answer is immediate.
    ///
    /// Transfers are outside the queue, so that slow servers do not take the places of workers.
    /// `isStreamed` is true for payloads of a stream, whose number is bounded elsewhere; `freed` is
    /// called once it is known that no worker is needed.
    func stage(
        _ plan: PayloadPlan, until deadline: ContinuousClock.Instant, isStreamed: Bool = false,
        freed: () async -> Void = {}
    ) async throws(Problem) -> StagedPayload {
        do throws(WorkQueue.Refusal) {
            let staged = try await stager.stage(plan, by: deadline) {
                (need, work) async throws(WorkQueue.Refusal) in
                if need == .none { await freed() }
                guard need == .worker else { return await work() }
                try await queued(plan, until: deadline, isStreamed, work)
            }
            return recorded(staged)
        } catch {
            throw Problem(error)
        }
    }

    private func queued(
        _ plan: PayloadPlan, until deadline: ContinuousClock.Instant, _ isStreamed: Bool,
        _ work: () async -> Void
    ) async throws(WorkQueue.Refusal) {
        let entry = ContinuousClock.now
        do throws(WorkQueue.Refusal) {
            try await queue.run(
                bytes: plan.payload.size, until: deadline, isCounted: !isStreamed
            ) {
                metrics.record(.queue, ContinuousClock.now - entry)
                await work()
            }
        } catch .late {
            // Past its deadline, the stage answers at once.
            await work()
        }
    }

    /// True if payloads get URLs from which devices can fetch renditions.
    var reachesDevices: Bool { stager.reachesDevices }

    /// The limit for a value of the header `apns-push-type`; nil for the limit of the settings.
    func limit(pushType: String?) -> Int? {
        guard let pushType, stager.settings.payloadLimit == APNsPayload.maximumSize else {
            return nil
        }
        return APNsPayload.maximumSize(pushType: pushType)
    }

    func recordPassedOn() { metrics.payloads.increment(PayloadReport.passedOn) }

    private func recorded(_ staged: StagedPayload) -> StagedPayload {
        metrics.payloads.increment(staged.outcome.rawValue)
        for answer in staged.answers {
            metrics.payloadAttachments.increment(answer.outcome.kind.rawValue)
        }
        return staged
    }
}

extension ServiceMetrics {
    fileprivate func record(_ event: PayloadStager.Event) {
        let failures: [DeliveryReason.Code]
        switch event {
        case .fetched(let duration, let codes):
            record(.fetch, duration)
            failures = codes
        case .published(let duration, let codes):
            record(.store, duration)
            failures = codes
        }
        for code in failures { refusals.increment(code.rawValue) }
    }
}
