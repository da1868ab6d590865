package import AttachmentContainer
package import AttachmentDecoding
import AttachmentFootprint
package import AttachmentIntake
package import AttachmentPlanning
package import Logging

/// Makes the renditions of attachments, in the calling process, and publishes nothing.
///
/// It opens no path: attachments, files for renditions and scratch files are given to it. It may be
/// used from any number of tasks at once: together they stay under the cap, since every attachment
/// waits until the bytes that its plan needs are free.
package struct AttachmentRenderer: Sendable {
    /// What is asked of the renditions.
    package let settings: ProcessingSettings
    /// Called on the thread that decodes, just before it does, with the rung and the peak predicted.
    package var willDecode: @Sendable (Plan.Rung, ByteCount) -> Void = { _, _ in }
    /// Whether decoding blocks the task's own thread: where that thread has nothing else to do.
    ///
    /// The default is a thread of libdispatch's.
    package var blocksItsThread = false
    private let logger: Logger
    private let ledger: MemoryLedger
    private let recorder = PeakRecorder()
    /// Where pictures that are held whole may lie; nil where there is no such place.
    let scratch: ScratchSpace?
    /// The settings that plans are made by: without room for scratch files where there is none.
    private let planning: ProcessingSettings

    /// Makes a renderer.
    ///
    /// - Parameters:
    ///   - settings: What is asked of the renditions, and the cap.
    ///   - source: Where scratch files come from.
    ///   - reserve: What of the cap is left unused, for what no plan knows of.
    ///   - placement: How large blocks of the heap are placed in scratch files; nil where they cannot
    ///     be.
    ///   - logger: Gets the plans at level `debug`. The default drops everything.
    /// - Throws: `SettingsError` naming a setting outside its range.
    package init(
        settings: ProcessingSettings, scratch source: ScratchSource, reserve: ByteCount,
        placement: HeapPlacement?,
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
    ) throws(SettingsError) {
        try settings.validate()
        self.settings = settings
        self.logger = logger
        scratch = try ScratchSpace.usable(settings, from: source, placement)
        var planning = settings
        if scratch == nil { planning.maximumScratchBytes = ByteCount(0) }
        self.planning = planning
        // Started now, the library is part of the baseline and not of the first attachment.
        VipsLibrary.warmUp()
        ledger = MemoryLedger(cap: settings.cap, reserve: reserve) {
            Footprint.current() ?? ByteCount(0)
        }
    }

    /// What this process takes while it does nothing.
    package var idleMemory: MemoryUse {
        let footprint = Footprint.current() ?? ByteCount(0)
        return MemoryUse(baseline: footprint, predictedPeak: nil, measuredPeak: footprint)
    }

    /// Makes the renditions of an attachment.
    ///
    /// When the task is cancelled, or the deadline passes, the work stops within a few rows and leaves
    /// nothing behind. What would take many times as long as there is time is refused before it is
    /// decoded.
    ///
    /// - Parameter request: The attachment, and what is known of it.
    /// - Returns: The renditions, with the files that they are in, and how much memory it took.
    /// - Throws: `AttachmentError` with the file, the reason and the remedy.
    package func render(
        _ request: RenderRequest
    ) async throws(AttachmentError) -> (rendering: Rendering, outputs: [OwnedDescriptor]) {
        let cancellation = Cancellation(deadline: request.deadline)
        do throws(AttachmentError) {
            let (rendered, memory) = try await withCancellation(cancellation) {
                () async throws(AttachmentError) in
                try await fulfil(request, cancellation)
            }
            return (Rendering(rendered?.attachment, memory: memory), rendered?.outputs ?? [])
        } catch {
            let path = request.file.path
            let error = error.code == .cancelled ? cancellation.error(for: path) : error
            logger.debug(
                "failed", metadata: ["code": "\(error.code)", "detail": "\(error.detail)"])
            throw error
        }
    }

    /// The budget for the next attachment.
    var budget: MemoryBudget { ledger.budget }

    /// The plans for an attachment, best first.
    func ladder(of header: AttachmentHeader) -> Ladder { planner(planning).ladder(header) }

    /// The steps, from top to bottom; nil in place of renditions that are no better than those that
    /// are known.
    private func fulfil(
        _ request: RenderRequest, _ cancellation: Cancellation
    ) async throws(AttachmentError) -> (Rendered?, MemoryUse) {
        let interval = recorder.begin()
        defer { recorder.end(interval) }
        let header: AttachmentHeader
        switch try await elsewhere({ () throws(AttachmentError) in try look(at: request) }) {
        case .picture(let picture): header = picture
        case .media(let media):
            let budget = ledger.budget
            let attachment = try passThrough(media, request.file)
            let memory = MemoryUse(
                baseline: budget.baseline,
                predictedPeak: MemoryDemand.passThrough.predictedPeak(in: budget),
                measuredPeak: recorder.peak(of: interval))
            return (Rendered(attachment: attachment, outputs: []), memory)
        }
        let budget = ledger.budget
        let ladder = ladder(of: header)
        let step = ladder.step(within: budget, below: request.below)
        if let known = request.known, step.map({ known.isAsGood(as: $0.plan.rung) }) ?? true {
            let memory = MemoryUse(
                baseline: budget.baseline, predictedPeak: nil,
                measuredPeak: recorder.peak(of: interval))
            return (nil, memory)
        }
        guard let step else { throw ladder.refusal(of: request.file.path, within: budget) }
        // That of animations takes frames, which are counted when it has begun.
        if step.plan.decoder != .animation {
            try cancellation.expectTime(
                DecodingTime.estimate(of: step.plan), for: request.file.path)
        }
        do throws(AttachmentError) {
            return try await make(step, budget, for: request, cancellation, interval)
        } catch {
            guard let ladder = secondLadder(after: error, of: step.plan) else { throw error }
            guard let step = ladder.step(within: budget, below: request.below) else {
                throw ladder.refusal(of: request.file.path, within: budget)
            }
            return try await make(step, budget, for: request, cancellation, interval)
        }
    }

    /// The ladder for a second attempt; nil where the error stands.
    private func secondLadder(after error: AttachmentError, of plan: Plan) -> Ladder? {
        // Strict decoders refuse a copy of what this one warns of. Encoding it decides whether it is
        // damage.
        if plan.treatment != .encode, [.corrupt, .truncated].contains(error.code) {
            var header = plan.header
            header.hasMetadata = true
            return ladder(of: header)
        }
        // A coding that the bounded decoder does not support.
        guard plan.decoder != .library, error.isUnsuitedDecoder,
            plan.header.format.hasLibraryFallback
        else { return nil }
        var settings = planning
        settings.decoder = .library
        return planner(settings).ladder(plan.header)
    }

    private func planner(_ settings: ProcessingSettings) -> Planner {
        Planner(settings: settings, placesLargeBlocks: scratch?.placement != nil)
    }

    /// Makes what one step of the ladder promises.
    private func make(
        _ step: Ladder.Step, _ budget: MemoryBudget, for request: RenderRequest,
        _ cancellation: Cancellation, _ interval: PeakRecorder.Interval
    ) async throws(AttachmentError) -> (Rendered?, MemoryUse) {
        logger.debug("planned", metadata: ["plan": "\(step.plan)"])
        return try await granted(step, of: budget, for: request) { grant throws(AttachmentError) in
            defer { SmallHeap.trim() }
            willDecode(step.plan.rung, step.predictedPeak(in: budget))
            let rendered = try makeRenditions(
                step.plan, request.file, request.outputs, grant, cancellation)
            guard !cancellation.isRequested else {
                throw AttachmentError(
                    .cancelled, file: request.file.path, reason: "it was withdrawn")
            }
            let predicted = step.predictedPeak(in: budget).bytes + grant.added.bytes
            let memory = MemoryUse(
                baseline: budget.baseline, predictedPeak: ByteCount(predicted),
                measuredPeak: recorder.peak(of: interval))
            return (rendered, memory)
        }
    }

    /// Runs blocking work once the ledger has granted its bytes.
    private func granted<Value: Sendable>(
        _ step: Ladder.Step, of budget: MemoryBudget, for request: RenderRequest,
        _ work: @escaping @Sendable (MemoryLedger.Grant) throws(AttachmentError) -> Value
    ) async throws(AttachmentError) -> Value {
        let result: Result<Value, AttachmentError>
        do throws(MemoryLedger.Refusal) {
            result = try await ledger.withGrant(
                step.demand.total(in: budget), of: budget, until: request.deadline
            ) { grant in
                do throws(AttachmentError) {
                    return .success(
                        try await elsewhere { () throws(AttachmentError) in try work(grant) })
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            throw AttachmentError(error, file: request.file.path)
        }
        return try result.get()
    }

    /// Passes on the cancellation of the task.
    private func withCancellation<Value: Sendable>(
        _ cancellation: Cancellation, _ work: () async throws(AttachmentError) -> Value
    ) async throws(AttachmentError) -> Value {
        let result = await withTaskCancellationHandler {
            do throws(AttachmentError) {
                return Result<Value, AttachmentError>.success(try await work())
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancellation.request()
        }
        return try result.get()
    }

    /// Runs blocking work on a thread that no task needs.
    private func elsewhere<Value: Sendable>(
        _ work: @escaping @Sendable () throws(AttachmentError) -> Value
    ) async throws(AttachmentError) -> Value {
        if blocksItsThread { return try work() }
        return try await BlockingWork.run(work)
    }
}

extension Plan.Rung {
    /// Whether renditions of this rung serve where another could be had.
    fileprivate func isAsGood(as rung: Plan.Rung) -> Bool {
        // A still is not as good as what moves, whatever its size.
        self <= rung || (isFullSize && rung != .animated)
    }
}

extension Ladder {
    /// Says that no rung stays under the cap, with the figures.
    fileprivate func refusal(of file: String, within budget: MemoryBudget) -> AttachmentError {
        AttachmentError(
            .overCap, file: file,
            reason: "its cheapest rung, \(cheapest.plan.rung.rawValue), takes "
                + "\(cheapest.demand.total(in: budget)), and there are \(budget.work) under the cap beside the "
                + "process's own \(budget.baseline)")
    }
}

extension AttachmentError {
    /// Says what a refusal of the ledger means for an attachment.
    fileprivate init(_ refusal: MemoryLedger.Refusal, file: String) {
        switch refusal {
        case .tooMuch:
            self.init(.overCap, file: file, reason: "its plan takes more than there is")
        case .deadline:
            self.init(.late, file: file, reason: "its turn did not come before the deadline")
        case .cancelled:
            self.init(.cancelled, file: file, reason: "it was withdrawn")
        }
    }
}
