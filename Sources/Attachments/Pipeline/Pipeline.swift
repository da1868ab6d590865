import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import CSystemCalls
import Logging

/// The pipeline, from top to bottom: probe → plan → animation → stills → facts for publishing.
///
/// The stills are made by a `PictureEngine`, which decodes → resizes → converts colours → orients, and by
/// `StillsMaker`, which crops → encodes the result as every rendition.
///
/// Each step takes values and returns values: the picture, notes for the manifest, the frame for the
/// stills. They share only the immutable `RenderingContext` of the attempt.
extension AttachmentRenderer {
    /// Probes and plans an attachment, and makes its renditions; none if known ones are as good.
    func process(
        _ request: RenderRequest, _ cancellation: Cancellation
    ) async throws(AttachmentError) -> (rendering: Rendering, outputs: [RenditionOutput]) {
        let interval = recorder.begin()
        defer { recorder.end(interval) }
        let header: AttachmentHeader
        switch try await runBlocking({ () throws(AttachmentError) in try probe(request) }) {
        case .picture(let picture): header = picture
        case .media(let media):
            let budget = budget
            let attachment = try passThrough(media, request)
            let predicted = MemoryDemand.passThrough.predictedPeak(in: budget)
            return (Rendering(attachment, memory: memoryUse(budget, predicted, interval)), [])
        }
        var budget = budget
        var ladder = try ladder(
            of: header, for: request.presets ?? settings.presets, from: request.file.path)
        // The measured peak covers all attempts, so the prediction does too.
        var earlierPeak = ByteCount(0)
        // If the still of an animation's file fails too, the animation's error stands.
        var animationError: AttachmentError?
        while true {
            let step = ladder.step(within: budget, below: request.below)
            if let known = request.known, step.map({ known.isAsGood(as: $0.plan.rung) }) ?? true {
                return (Rendering(nil, memory: memoryUse(budget, nil, interval)), [])
            }
            guard let step else {
                throw animationError ?? refusal(by: ladder, of: request.file.path, within: budget)
            }
            do throws(AttachmentError) {
                // The estimate for animations needs the number of frames, which is not known yet.
                if step.plan.decoder != .animation {
                    try cancellation.requireTime(
                        DecodingTime.estimate(of: step.plan), for: request.file.path)
                }
                if let done = try await run(
                    step, budget, for: request, cancellation, interval, earlierPeak)
                {
                    return done
                }
                // Other attachments have left memory behind since the budget was read.
                budget = self.budget
            } catch {
                if error.code == .scratchLimit, scratch != nil {
                    return try await withoutScratch.process(request, cancellation, after: error)
                }
                guard let next = fallbackLadder(after: error, of: step.plan) else {
                    throw error.code == .cancelled ? error : animationError ?? error
                }
                if step.plan.decoder == .animation { animationError = error }
                earlierPeak = max(earlierPeak, step.predictedPeak(in: budget))
                ladder = next
            }
        }
    }

    /// Makes the renditions without the scratch files that exceeded their limit; if memory does not suffice
    /// either, the limit's error stands.
    private func process(
        _ request: RenderRequest, _ cancellation: Cancellation, after error: AttachmentError
    ) async throws(AttachmentError) -> (rendering: Rendering, outputs: [RenditionOutput]) {
        do throws(AttachmentError) {
            return try await process(request, cancellation)
        } catch let second {
            throw second.code == .overCap ? error : second
        }
    }

    /// Nil if the budget is stale.
    private func run(
        _ step: PlanLadder.Step, _ budget: MemoryBudget, for request: RenderRequest,
        _ cancellation: Cancellation, _ interval: PeakRecorder.Interval,
        _ earlierPeak: ByteCount
    ) async throws(AttachmentError) -> (rendering: Rendering, outputs: [RenditionOutput])? {
        logger?.debug("planned", metadata: ["plan": "\(step.plan)"])
        return try await granted(step, of: budget, for: request) { grant throws(AttachmentError) in
            defer { thimble_trim_heap() }
            let thread = secondThread(for: step.plan, request, grant)
            willDecode(
                step.plan.rung,
                ByteCount(step.predictedPeak(in: budget).bytes + grant.added.bytes))
            scratch?.setRoomForDirtyPages(
                step.roomForDirtyPages(in: budget, beside: grant.added))
            let rendered = try makeRenditions(
                step.plan, request, grant, cancellation, thread)
            guard !cancellation.isRequested else { throw .cancelled(request.file.path) }
            let predicted = step.predictedPeak(in: budget).bytes + grant.added.bytes
            let memory = memoryUse(budget, max(earlierPeak, ByteCount(predicted)), interval)
            return (Rendering(rendered.attachment, memory: memory), rendered.outputs)
        }
    }

    /// The fastest use of a second thread that the request allows and whose memory is free.
    private func secondThread(
        for plan: Plan, _ request: RenderRequest, _ grant: MemoryLedger.Grant
    ) -> SecondThread? {
        guard request.threads > 1 else { return nil }
        return planner(planning).secondThreads(of: plan).first { grant.covers($0.demand) }?.thread
    }

    private func memoryUse(
        _ budget: MemoryBudget, _ predictedPeak: ByteCount?, _ interval: PeakRecorder.Interval
    ) -> MemoryUse {
        MemoryUse(
            baseline: budget.baseline, predictedPeak: predictedPeak,
            measuredPeak: recorder.peak(of: interval))
    }

    /// Makes the renditions; where damage is tolerated, a damaged picture is decoded again for its
    /// intact part.
    ///
    /// The first, strict attempt gives intact pictures the same renditions with and without
    /// tolerance. If both attempts fail, the first error stands.
    private func makeRenditions(
        _ plan: Plan, _ request: RenderRequest, _ grant: MemoryLedger.Grant,
        _ cancellation: Cancellation, _ secondThread: SecondThread?
    ) throws(AttachmentError) -> (attachment: RenderedAttachment, outputs: [RenditionOutput]) {
        do {
            let strictness = DecodeStrictness(for: plan.header.format, tolerant: false)
            return try makeRenditions(
                plan, request, strictness, grant, cancellation, secondThread)
        } catch {
            // A damaged file is not kept: another plan encodes what is left of it.
            guard settings.toleratesTruncation, plan.treatment == .encode, error.isDamage,
                !cancellation.isRequested
            else { throw error }
            thimble_trim_heap()
            do throws(AttachmentError) {
                return try makeRenditions(
                    plan, request, .tolerant, grant, cancellation, secondThread)
            } catch let second {
                throw second.isDamage ? error : second
            }
        }
    }

    private static let incompleteNote = "the file is damaged: missing parts are blank"

    private func makeRenditions(
        _ plan: Plan, _ request: RenderRequest, _ strictness: DecodeStrictness,
        _ grant: MemoryLedger.Grant, _ cancellation: Cancellation, _ secondThread: SecondThread?
    ) throws(AttachmentError) -> (attachment: RenderedAttachment, outputs: [RenditionOutput]) {
        let context = RenderingContext(
            plan: plan, file: request.file, strictness: strictness, cancellation: cancellation,
            secondThread: secondThread, grant: grant, settings: settings,
            scratch: plan.usesScratch ? scratch : nil,
            permittedScratch: scratch,
            conversionHeap: try conversionHeap(for: plan.decodedHeader, request.file),
            outputs: RenditionOutputs(from: request.outputs))
        let renditions = try makeRenditions(context)
        let isStill = renditions.animation?.gif == nil
        let notes =
            strictness == .tolerant && isStill
            ? [Self.incompleteNote] : context.notes.texts
        return (RenderedAttachment(renditions, plan, notes: notes), context.outputs.outputs)
    }

    /// Makes the animation, and the stills with the engine of the plan.
    private func makeRenditions(_ context: RenderingContext) throws(AttachmentError) -> Renditions {
        let plan = context.plan
        guard plan.engine == .rows else {
            guard !context.outputs.isSealed || fallback?.writesSealedFiles == true else {
                throw .notSealed(
                    context.file.path, plan, isChosen: settings.engine == .libvips)
            }
            guard let fallback else { throw .needsLibvips(context.file.path, plan) }
            return Renditions(animation: nil, try fallback.makeStills(context))
        }
        context.grant.beginAnimation()
        let animation = plan.decoder == .animation ? try animate(context) : nil
        context.grant.beginStills()
        return Renditions(
            animation: animation, try RowEngine(frame: animation?.still).makeStills(context))
    }
}

extension PlanLadder.Step {
    /// Bytes of scratch files that may stay in memory: half of the rest, because pages of the attachment
    /// itself are cached too.
    ///
    /// Planes of animations may claim the rest as heap, and so may the palette of a picture with alpha.
    fileprivate func roomForDirtyPages(
        in budget: MemoryBudget, beside added: ByteCount
    ) -> Int {
        guard plan.decoder != .animation else { return 0 }
        let palette =
            plan.header.hasAlpha ? QuantiserDemand.bytes(width: plan.reducedSize.width) : 0
        return (budget.work.bytes - demand.total(in: budget).bytes - added.bytes - palette) / 2
    }
}
