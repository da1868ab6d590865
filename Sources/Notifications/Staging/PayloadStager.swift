public import AttachmentContainer
public import AttachmentFetch
import AttachmentModel
public import NotificationDelivery
public import NotificationPayload

/// The pre-delivery stage for payloads: fetches, processes and publishes the pictures of each, and
/// writes the outcome into it.
///
/// A payload whose pictures are not available keeps its own locations. Any number of payloads may be
/// staged at once; those that name the same picture share one transfer, one decoding and one upload.
public struct PayloadStager: Sendable {
    /// Transfers for one payload, with their duration and the codes of those that failed.
    public enum Event: Sendable {
        /// Pictures were fetched from URLs.
        case fetched(Duration, failures: [DeliveryReason.Code])
        /// Renditions were published to a store.
        case published(Duration, failures: [DeliveryReason.Code])
    }

    /// Maximum number of attachments of a payload that are processed; an SDK shows one to five.
    public static let maximumAttachments = 10

    /// The settings.
    public let settings: StagingSettings
    /// Receives the transfers that were necessary.
    public var report: @Sendable (Event) -> Void = { _ in }
    private let stages: DeliveryStages
    private let pictures: PictureSource
    private let publishing: RenditionPublishing
    private let editor: PayloadEditor
    private let inlinePictures: InlinePictureMaker?

    /// Creates a stager.
    ///
    /// - Parameters:
    ///   - stages: Delivery stages by category.
    ///   - fetcher: The source of pictures that URLs name. The default is nil: such payloads get no
    ///     picture.
    ///   - publishing: The place from which devices get renditions. The default is
    ///     ``RenditionPublishing/none``.
    ///   - settings: Keys, limits and time. The default is `StagingSettings()`.
    ///   - inlinePictures: The maker of pictures inside payloads. The default is nil, for the rule
    ///     ``InlineRule/never``.
    /// - Throws: `SettingsError` naming a setting outside its range.
    public init(
        _ stages: DeliveryStages, fetcher: AttachmentFetcher? = nil,
        publishing: RenditionPublishing = .none, settings: StagingSettings = StagingSettings(),
        inlinePictures: InlinePictureMaker? = nil
    ) throws(SettingsError) {
        try settings.validate()
        guard settings.inline == .never || inlinePictures != nil else {
            throw SettingsError(field: "inline", range: "never without a maker of inline pictures")
        }
        self.inlinePictures = inlinePictures
        self.stages = stages
        self.settings = settings
        self.publishing = publishing
        pictures = PictureSource(fetcher: fetcher)
        editor = PayloadEditor(publishing, settings)
    }

    /// True if payloads get URLs from which devices can fetch renditions.
    ///
    /// Otherwise renditions are files of the container, which no phone can reach.
    public var reachesDevices: Bool {
        if case .none = publishing.place { false } else { true }
    }

    /// Stages one payload.
    ///
    /// On cancellation of the task the answer is immediate, and without pictures that are not known.
    ///
    /// - Parameters:
    ///   - document: The payload.
    ///   - deadline: The time by which the answer is due. The default is the settings' deadline.
    /// - Returns: The payload with the outcome, at the deadline at the latest.
    /// - Throws: `PayloadError` for a document that is no payload.
    public func stage(
        _ document: JSONDocument, by deadline: ContinuousClock.Instant? = nil
    ) async throws(PayloadError) -> StagedPayload {
        let plan = try plan(document)
        if let known = known(plan) { return known }
        return await stage(plan, by: deadline ?? .now + settings.deadline) { _, work in
            await work()
        }
    }

    /// Reads a payload, and selects its stage and its attachments.
    ///
    /// `limit` is the maximum size of the payload, in bytes. The default is the settings' limit.
    public func plan(
        _ document: JSONDocument, limit: Int? = nil
    ) throws(PayloadError) -> PayloadPlan {
        let payload = try APNsPayload(document)
        let category = payload.category
        let choice = stages.choice(for: category)
        var notes = [choice.mismatch].compactMap(\.self)
        var references = payload.attachments(settings.payloadStyle)
        if references.count > Self.maximumAttachments {
            notes.append(
                "only the first \(Self.maximumAttachments) of \(references.count) attachments are "
                    + "processed")
            references.removeLast(references.count - Self.maximumAttachments)
        }
        return PayloadPlan(
            payload: payload, category: category, references: references, stage: choice.stage,
            limit: limit ?? settings.payloadLimit,
            unmatched: references.isEmpty ? UnmatchedPayload(payload, settings.payloadStyle) : nil,
            notes: notes)
    }

    /// The outcome if it needs neither a worker nor a transfer; nil otherwise.
    public func known(_ plan: PayloadPlan) -> StagedPayload? {
        guard !plan.references.isEmpty else {
            return StagedPayload(plan)
        }
        // Its room is only known with the note, and its picture may take a worker.
        guard settings.inline == .never else { return nil }
        guard let answers = knownAnswers(to: plan), let publications = publishing.known(answers)
        else { return nil }
        return editor.edit(plan, answers, publications)
    }

    /// Fetches, processes and publishes the pictures of a payload.
    ///
    /// `admit` runs its second argument once, as soon as a worker may be used if the first argument asks
    /// for one. It is called for the renditions, and again for the picture inside the payload. If the
    /// second call throws and the rule is ``InlineRule/ifRoom``, the payload has a note in place of the
    /// picture.
    public func stage<Refusal: Error>(
        _ plan: PayloadPlan, by deadline: ContinuousClock.Instant,
        admit: (_ need: WorkerNeed, _ work: () async -> Void) async throws(Refusal) -> Void
    ) async throws(Refusal) -> StagedPayload {
        let begun = ContinuousClock.now
        let time = begun.duration(to: deadline)
        let processed = deadline - publishing.reserve(of: time)
        let requests = await requests(for: plan, by: processed, of: time)
        let needsNoWorker = requests.allSatisfy {
            $0.attachment.failure != nil || plan.stage.isInProgress($0)
        }
        let unneeded: WorkerNeed = settings.inline == .never ? .none : .later
        var answers: [DeliveryAnswer] = []
        try await admit(needsNoWorker ? unneeded : .worker) {
            answers = await plan.stage.deliver(requests)
        }
        guard settings.inline != .only else {
            return try await inlining(
                StagedPayload(plan, answers: answers), plan, answers, by: deadline, admit)
        }
        let publications: [RenditionPublishing.Publication]
        if let known = publishing.known(answers) {
            publications = known
        } else {
            let begun = ContinuousClock.now
            publications = await publishing.publish(answers, by: deadline)
            report(
                .published(
                    begun.duration(to: .now), failures: publications.compactMap(\.failure?.code)))
        }
        return try await inlining(
            editor.edit(plan, answers, publications), plan, answers, by: deadline, admit)
    }

    /// The payload with a picture inside, if the rule asks for one.
    private func inlining<Refusal: Error>(
        _ staged: StagedPayload, _ plan: PayloadPlan, _ answers: [DeliveryAnswer],
        by deadline: ContinuousClock.Instant,
        _ admit: (_ need: WorkerNeed, _ work: () async -> Void) async throws(Refusal) -> Void
    ) async throws(Refusal) -> StagedPayload {
        guard let inlinePictures, settings.inline != .never, !plan.references.isEmpty else {
            return staged
        }
        let editor = InlineEditor(inlinePictures, plan.stage.container, settings)
        let place: InlineEditor.Place
        do throws(InlineFailure) {
            place = try editor.place(in: staged, plan, answers)
        } catch {
            return editor.staged(staged, without: error)
        }
        var edited = staged
        do throws(Refusal) {
            try await admit(editor.needsNoWorker(place) ? .none : .worker) {
                edited = await editor.edit(staged, place, by: deadline)
            }
        } catch {
            guard !settings.inline.isRequired else { throw error }
            // The renditions are there: the payload is worth more than the picture inside it.
            return editor.staged(
                staged, without: Task.isCancelled ? InlineFailure(.cancelled) : .noWorker)
        }
        return edited
    }

    /// The answers if all pictures are known.
    private func knownAnswers(to plan: PayloadPlan) -> [DeliveryAnswer]? {
        guard !settings.manifestPerNotification else { return nil }
        var answers: [DeliveryAnswer] = []
        for reference in plan.references {
            guard let picture = pictures.present(reference),
                let answer = plan.stage.knownAnswer(
                    to: request(reference, of: plan, picture, by: nil))
            else { return nil }
            answers.append(answer)
        }
        return answers
    }

    /// The requests, once all pictures that URLs name are fetched.
    ///
    /// `time` is the time for the whole payload.
    private func requests(
        for plan: PayloadPlan, by deadline: ContinuousClock.Instant, of time: Duration
    ) async -> [DeliveryRequest] {
        let begun = ContinuousClock.now
        // Two seconds, or a quarter, are left for processing.
        let fetchDeadline = deadline - min(.seconds(2), time / 4)
        let found = await withTaskGroup(of: (Int, PictureSource.Picture).self) { group in
            for (index, reference) in plan.references.enumerated() {
                group.addTask { (index, await pictures.picture(reference, by: fetchDeadline)) }
            }
            var found: [Int: PictureSource.Picture] = [:]
            for await (index, picture) in group { found[index] = picture }
            return found
        }
        let fetched = found.values.filter(\.isFetched)
        if !fetched.isEmpty {
            report(
                .fetched(
                    begun.duration(to: .now),
                    failures: fetched.compactMap(\.attachment.failure?.code)))
        }
        return plan.references.enumerated().compactMap { index, reference in
            found[index].map { request(reference, of: plan, $0, by: deadline) }
        }
    }

    private func request(
        _ reference: AttachmentReference, of plan: PayloadPlan,
        _ picture: PictureSource.Picture, by deadline: ContinuousClock.Instant?
    ) -> DeliveryRequest {
        let isNamed = settings.manifestPerNotification
        var request = DeliveryRequest(
            NotificationContent(
                identifier: isNamed
                    ? plan.identifier(naming: reference, notePath: settings.notePath) : "",
                categoryIdentifier: plan.category, attachments: [reference]),
            attachment: picture.attachment, deadline: deadline)
        request.naming = isNamed ? .notification : .picture
        request.identity = picture.identity
        return request
    }
}

extension DeliveryRequest.Attachment {
    /// The reason that the attachment is unavailable; nil if it can be opened.
    fileprivate var failure: DeliveryReason? {
        if case .unavailable(let reason) = self { reason } else { nil }
    }
}
