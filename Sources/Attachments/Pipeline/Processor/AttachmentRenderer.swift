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
    let fallback: (any LibraryEngine)?
    let logger: Logger?
    private let ledger: MemoryLedger
    let recorder = PeakRecorder()
    private(set) var scratch: ScratchSpace?
    /// The settings for planning: without scratch files if `scratch` is nil.
    private(set) var planning: ProcessingSettings

    /// `reserve` is the part of the cap left unused for unplanned demand.
    package init(
        settings: ProcessingSettings, scratch source: ScratchSource, reserve: ByteCount,
        placement: HeapPlacement?, formats: [PictureFormat] = .standard,
        fallback: FallbackEngine?,
        logger: Logger? = nil
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
        self.fallback = fallback?.engine
        fallback?.engine.warmUp()
        ledger = MemoryLedger(cap: settings.cap, reserve: reserve) {
            Footprint.current() ?? ByteCount(0)
        }
    }

    /// The same renderer, which holds and plans everything in memory.
    var withoutScratch: AttachmentRenderer {
        var renderer = self
        renderer.scratch = nil
        renderer.planning.maximumScratchBytes = ByteCount(0)
        return renderer
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
    ) async throws(AttachmentError) -> (rendering: Rendering, outputs: [RenditionOutput]) {
        let cancellation = Cancellation(deadline: request.deadline)
        do throws(AttachmentError) {
            return try await withCancellation(cancellation) { () async throws(AttachmentError) in
                try await process(request, cancellation)
            }
        } catch {
            let path = request.file.path
            let error = error.code == .cancelled ? cancellation.error(for: path) : error
            logger?.debug(
                "failed", metadata: ["code": "\(error.code)", "detail": "\(error.detail)"])
            throw error
        }
    }

    var budget: MemoryBudget { ledger.budget }

    /// The ladder of the engine that takes every picture, or else the planner's.
    func ladder(
        of header: AttachmentHeader, for presets: PresetSelection, from file: String
    ) throws(AttachmentError) -> PlanLadder {
        let settings = planning(for: presets)
        if let ladder = fallback?.ladder(of: header, settings) { return ladder }
        let planner = planner(settings)
        guard planner.canDecode(header) else { throw .notBuilt(file, header) }
        return planner.ladder(header)
    }

    /// The ladder for another attempt; nil if the error is final.
    func fallbackLadder(after error: AttachmentError, of plan: Plan) -> PlanLadder? {
        if plan.engine == .imageIO {
            // The system's service may fail where Thimble's decoders would not.
            guard plan.rung == .outOfProcess, error.code != .cancelled, error.code != .late
            else { return nil }
            return fallback?.ladder(of: plan.header, planning(for: plan.presets))?.below(plan.rung)
        }
        // Stricter decoders refuse a copy that causes warnings. Encoding it shows whether it is
        // damaged.
        if plan.treatment != .encode, [.corrupt, .truncated, .unsupported].contains(error.code) {
            var header = plan.header
            header.mustBeEncoded = true
            return planner(planning(for: plan.presets)).ladder(header)
        }
        // A damaged, too long or too slow animation leaves the still picture of its file.
        if plan.decoder == .animation, let still = plan.header.still,
            ![.cancelled, .storage].contains(error.code)
        {
            return planner(planning(for: plan.presets)).ladder(still)
        }
        guard error.isUnsupportedCoding else { return nil }
        var settings = planning(for: plan.presets)
        settings.engine = .libvips
        if plan.engine == .libvips || plan.decoder == .animation {
            // The bounded decoder does not support the coding.
            guard plan.decoder != .library, plan.header.coding.hasLibraryFallback else {
                return nil
            }
            settings.decoder = .library
        }
        return planner(settings).ladder(plan.header)
    }

    /// The refusal of a picture whose cheapest step does not fit; the worker with libvips answers for
    /// steps of libvips, because it takes more itself.
    func refusal(
        by ladder: PlanLadder, of file: String, within budget: MemoryBudget
    ) -> AttachmentError {
        var own = ladder
        if fallback == nil {
            guard let rest = ladder.without(.libvips) else {
                return .needsLibvips(file, ladder.cheapest.plan)
            }
            own = rest
        }
        return own.refusal(
            of: file, within: budget, wouldFitOnDisk: fitsOnDisk(ladder.cheapest.plan, budget))
    }

    /// True if a disk for scratch files, which the process lacks, would make room for the picture.
    private func fitsOnDisk(_ plan: Plan, _ budget: MemoryBudget) -> Bool {
        guard scratch == nil, settings.maximumScratchBytes > ByteCount(0) else { return false }
        var settings = settings
        settings.presets = plan.presets
        let planner = planner(settings, placesLargeBlocks: true)
        return planner.canDecode(plan.header)
            && planner.ladder(plan.header).step(within: budget, below: nil) != nil
    }

    private func planning(for presets: PresetSelection) -> ProcessingSettings {
        var settings = planning
        settings.presets = presets
        return settings
    }

    func planner(
        _ settings: ProcessingSettings, placesLargeBlocks: Bool? = nil
    ) -> Planner {
        Planner(
            settings: settings,
            placesLargeBlocks: placesLargeBlocks ?? (scratch?.placement != nil), decoders: .linked)
    }

    /// Does work with the bytes of a step; nil if the step must be planned again with a new budget.
    func granted<Value: Sendable>(
        _ step: PlanLadder.Step, of budget: MemoryBudget, for request: RenderRequest,
        _ work: @escaping @Sendable (MemoryLedger.Grant) throws(AttachmentError) -> Value
    ) async throws(AttachmentError) -> Value? {
        let result: Result<Value, AttachmentError>
        do throws(MemoryLedger.GrantError) {
            result = try await ledger.withGrant(
                step.demand.total(in: budget), beforeStills: step.demand.beforeStills, of: budget,
                until: request.deadline, usesVips: step.plan.engine == .libvips
            ) { grant in
                do throws(AttachmentError) {
                    return .success(
                        try await runBlocking { () throws(AttachmentError) in try work(grant) })
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            guard let error = AttachmentError(error, file: request.file.path) else { return nil }
            throw error
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

    /// Heap for the tables of a large colour conversion; nil for the process's own.
    func conversionHeap(
        for header: AttachmentHeader, _ file: AttachmentFile
    ) throws(AttachmentError) -> ScratchHeap? {
        guard header.hasLargeConversion else { return nil }
        do {
            // Longer profiles are not read.
            let profileBytes = min(header.profileBytes, ColourProfile.ceiling)
            return try scratch?.makeHeap(
                bytes: Self.conversionHeapBytes + Self.conversionHeapProfiles * profileBytes)
        } catch {
            throw AttachmentError(error, of: file, header)
        }
    }

    /// Heap for the tables of a conversion, without copies of the profile, in bytes: twice the
    /// measured demand of Little CMS for CMYK.
    private static let conversionHeapBytes = 16 << 20

    /// Profiles that a conversion and its table may take, beyond `conversionHeapBytes`.
    ///
    /// Measured of Little CMS 2.14 with tables of bytes (`mft1`), which it keeps as words and as floats:
    /// blocks of 12.1 profiles in all, 7 at once.
    private static let conversionHeapProfiles = 8

    /// Runs blocking work outside the cooperative thread pool.
    func runBlocking<Value: Sendable>(
        _ work: @escaping @Sendable () throws(AttachmentError) -> Value
    ) async throws(AttachmentError) -> Value {
        if blocksItsThread { return try work() }
        return try await BlockingWork.run(work)
    }
}

extension Rung {
    /// True if renditions of this rung make renditions of another unnecessary.
    func isAsGood(as rung: Rung) -> Bool {
        // A still does not replace an animation, whatever its size.
        self <= rung || (isFullSize && rung != .animated)
    }
}
