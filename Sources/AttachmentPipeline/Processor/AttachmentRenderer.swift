package import AttachmentContainer
package import AttachmentModel
package import AttachmentFormats
internal import AttachmentPlanning
internal import AttachmentPublishing
package import Logging

/// Makes the renditions of attachments in the calling process, without publishing them.
///
/// It opens no path: the caller provides attachments, output files and scratch files. Concurrent
/// use stays under the cap, because every attachment waits until the bytes of its plan are free.
package struct AttachmentRenderer: Sendable {
    package let settings: ProcessingSettings
    /// Called on the decoding thread, just before decoding, with the rung and the predicted peak.
    package var willDecode: @Sendable (Rung, ByteCount) -> Void = { _, _ in }
    /// True to decode on the task's own thread instead of one of libdispatch's.
    package var blocksItsThread = false
    let formats: [PictureFormat]
    private let logger: Logger
    private let ledger: MemoryLedger
    private let recorder = PeakRecorder()
    /// Space for held pictures; nil if unavailable.
    let scratch: ScratchSpace?
    /// The settings for planning: without scratch files if `scratch` is nil.
    private let planning: ProcessingSettings

    /// Creates a renderer of pictures in the given formats; `reserve` is the part of the cap left
    /// unused for unplanned demand.
    package init(
        settings: ProcessingSettings, scratch source: ScratchSource, reserve: ByteCount,
        placement: HeapPlacement?, formats: [PictureFormat] = .standard,
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
    ) throws(SettingsError) {
        try settings.validate()
        self.settings = settings
        self.logger = logger
        self.formats = formats
        scratch = try ScratchSpace.usable(settings, from: source, placement) { [recorder] in
            recorder.sample()
        }
        var planning = settings
        if scratch == nil { planning.maximumScratchBytes = ByteCount(0) }
        self.planning = planning
        // Starts libvips now, so that it counts toward the baseline and not the first attachment.
        VipsLibrary.warmUp()
        ledger = MemoryLedger(cap: settings.cap, reserve: reserve) {
            Footprint.current() ?? ByteCount(0)
        }
    }

    package var idleMemory: MemoryUse {
        let footprint = Footprint.current() ?? ByteCount(0)
        return MemoryUse(baseline: footprint, predictedPeak: nil, measuredPeak: footprint)
    }

    /// Makes the renditions of an attachment.
    ///
    /// On cancellation or at the deadline the work stops within a few rows and leaves nothing
    /// behind. Work that would take several times the remaining time is refused before decoding.
    package func render(
        _ request: RenderRequest
    ) async throws(AttachmentError) -> (rendering: Rendering, outputs: [OwnedDescriptor]) {
        let cancellation = Cancellation(deadline: request.deadline)
        do throws(AttachmentError) {
            let (rendered, memory) = try await withCancellation(cancellation) {
                () async throws(AttachmentError) in
                try await process(request, cancellation)
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

    func ladder(of header: AttachmentHeader) -> Ladder { planner(planning).ladder(header) }

    /// Runs all steps; without renditions if the known ones are as good.
    private func process(
        _ request: RenderRequest, _ cancellation: Cancellation
    ) async throws(AttachmentError) -> (Rendered?, MemoryUse) {
        let interval = recorder.begin()
        defer { recorder.end(interval) }
        let header: AttachmentHeader
        switch try await runBlocking({ () throws(AttachmentError) in try probe(request) }) {
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
        // The estimate for animations needs the number of frames, which is not known yet.
        if step.plan.decoder != .animation {
            try cancellation.requireTime(
                DecodingTime.estimate(of: step.plan), for: request.file.path)
        }
        do throws(AttachmentError) {
            return try await make(step, budget, for: request, cancellation, interval)
        } catch {
            guard let ladder = fallbackLadder(after: error, of: step.plan) else { throw error }
            guard let step = ladder.step(within: budget, below: request.below) else {
                throw ladder.refusal(of: request.file.path, within: budget)
            }
            return try await make(step, budget, for: request, cancellation, interval)
        }
    }

    /// The ladder for a second attempt; nil if the error is final.
    private func fallbackLadder(after error: AttachmentError, of plan: Plan) -> Ladder? {
        // Stricter decoders refuse a copy that causes warnings. Encoding it shows whether it is
        // damaged.
        if plan.treatment != .encode, [.corrupt, .truncated].contains(error.code) {
            var header = plan.header
            header.hasMetadata = true
            return ladder(of: header)
        }
        // The bounded decoder does not support the coding.
        guard plan.decoder != .library, error.isUnsupportedCoding,
            plan.header.coding.hasLibraryFallback
        else { return nil }
        var settings = planning
        settings.decoder = .library
        return planner(settings).ladder(plan.header)
    }

    private func planner(_ settings: ProcessingSettings) -> Planner {
        Planner(settings: settings, placesLargeBlocks: scratch?.placement != nil)
    }

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
                    .cancelled, file: request.file.path, reason: "it was cancelled")
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
                        try await runBlocking { () throws(AttachmentError) in try work(grant) })
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            throw AttachmentError(error, file: request.file.path)
        }
        return try result.get()
    }

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

    /// Runs blocking work outside the cooperative thread pool.
    private func runBlocking<Value: Sendable>(
        _ work: @escaping @Sendable () throws(AttachmentError) -> Value
    ) async throws(AttachmentError) -> Value {
        if blocksItsThread { return try work() }
        return try await BlockingWork.run(work)
    }
}

extension Rung {
    /// True if renditions of this rung make those of another unnecessary.
    fileprivate func isAsGood(as rung: Rung) -> Bool {
        // A still does not replace an animation, whatever its size.
        self <= rung || (isFullSize && rung != .animated)
    }
}

extension Ladder {
    fileprivate func refusal(of file: String, within budget: MemoryBudget) -> AttachmentError {
        AttachmentError(
            .overCap, file: file,
            reason: "its cheapest rung, \(cheapest.plan.rung.rawValue), takes "
                + "\(cheapest.demand.total(in: budget)), but only \(budget.work) are left under the cap beside "
                + "the process's own \(budget.baseline)")
    }
}

extension AttachmentError {
    fileprivate init(_ refusal: MemoryLedger.Refusal, file: String) {
        switch refusal {
        case .exceedsBudget:
            self.init(.overCap, file: file, reason: "its plan exceeds the work budget")
        case .deadline:
            self.init(.late, file: file, reason: "the deadline passed while it waited for memory")
        case .cancelled:
            self.init(.cancelled, file: file, reason: "it was cancelled")
        }
    }
}
