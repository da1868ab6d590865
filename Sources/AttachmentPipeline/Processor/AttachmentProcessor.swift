public import AttachmentContainer
package import AttachmentDecoding
import AttachmentFootprint
public import AttachmentIntake
public import AttachmentPlanning
import Dispatch
public import Logging

/// Turns attachments into notifications in a container, in the calling process.
///
/// It may be used from any number of tasks at once: together they stay under the cap, since every
/// attachment waits until the bytes that its plan needs are free.
public struct AttachmentProcessor: AttachmentProcessing {
    /// What is asked of the renditions.
    public let settings: ProcessingSettings
    /// Where the notifications go.
    public let container: SharedContainer
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
    /// Decoding blocks its thread, which those of the tasks must not be.
    private let queue = DispatchQueue(label: "thimble.attachments", attributes: .concurrent)

    /// Makes a processor.
    ///
    /// - Parameters:
    ///   - settings: What is asked of the renditions, and the cap.
    ///   - container: Where the notifications go.
    ///   - reserve: What of the cap is left unused, for what no plan knows of. The default is
    ///     512 KiB; a process that does nothing else needs less.
    ///   - logger: Gets the plans at level `debug`, without names or identifiers. The default drops
    ///     everything.
    /// - Throws: `SettingsError` naming a setting outside its range.
    public init(
        settings: ProcessingSettings, container: SharedContainer,
        reserve: ByteCount = MemoryBudget.defaultReserve,
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
    ) throws(SettingsError) {
        try self.init(
            settings: settings, container: container, reserve: reserve, placement: nil,
            logger: logger)
    }

    /// Makes a processor for a program whose heap can place large blocks elsewhere.
    ///
    /// - Parameters:
    ///   - settings: What is asked of the renditions, and the cap.
    ///   - container: Where the notifications go.
    ///   - reserve: What of the cap is left unused, for what no plan knows of.
    ///   - placement: How large blocks are placed in scratch files; nil where they cannot be.
    ///   - logger: Gets the plans at level `debug`. The default drops everything.
    /// - Throws: `SettingsError` naming a setting outside its range.
    package init(
        settings: ProcessingSettings, container: SharedContainer, reserve: ByteCount,
        placement: HeapPlacement?,
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
    ) throws(SettingsError) {
        try settings.validate()
        self.settings = settings
        self.container = container
        self.logger = logger
        scratch = try ScratchSpace.usable(settings, container, placement)
        var planning = settings
        if scratch == nil { planning.maximumScratchBytes = ByteCount(0) }
        self.planning = planning
        // Started now, the library is part of the baseline and not of the first attachment.
        VipsLibrary.warmUp()
        ledger = MemoryLedger(cap: settings.cap, reserve: reserve) {
            Footprint.current() ?? ByteCount(0)
        }
    }

    /// Makes the renditions of an attachment and publishes them under an identifier.
    ///
    /// What the container holds already for the same bytes and settings is not made again. When the
    /// task is cancelled, or the deadline passes, the work stops within a few rows and leaves nothing
    /// behind. What would take many times as long as there is time is refused before it is decoded.
    ///
    /// - Parameter request: The file, whose notification it is, and until when.
    /// - Returns: The manifest, how much work it took and how much memory.
    /// - Throws: `AttachmentError` with the file, the reason and the remedy.
    public func process(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> ProcessedAttachment {
        let cancellation = Cancellation(deadline: request.deadline)
        do throws(AttachmentError) {
            return try await withCancellation(cancellation) { () async throws(AttachmentError) in
                try await fulfil(request, cancellation)
            }
        } catch {
            let error = error.code == .cancelled ? cancellation.error(for: request.path) : error
            logger.debug(
                "failed", metadata: ["code": "\(error.code)", "detail": "\(error.detail)"])
            throw error
        }
    }

    /// The steps, from top to bottom.
    private func fulfil(
        _ request: AttachmentRequest, _ cancellation: Cancellation
    ) async throws(AttachmentError) -> ProcessedAttachment {
        let interval = recorder.begin()
        defer { recorder.end(interval) }
        let intake: Intake
        switch try await elsewhere({ () throws(AttachmentError) in try look(at: request) }) {
        case .picture(let picture): intake = picture
        case .media(let file, let header):
            let budget = ledger.budget
            return try await elsewhere { () throws(AttachmentError) in
                try passThrough(file, header, for: request, cancellation) {
                    MemoryUse(
                        baseline: budget.baseline,
                        predictedPeak: MemoryDemand.passThrough.predictedPeak(in: budget),
                        measuredPeak: recorder.peak(of: interval))
                }
            }
        }
        let budget = ledger.budget
        let ladder = planner(planning).ladder(intake.header)
        let step = ladder.step(within: budget, below: request.below)
        let known = try await elsewhere { () throws(AttachmentError) in
            try recall(intake.digest, unlessWorseThan: step?.plan.rung, for: request) {
                MemoryUse(
                    baseline: budget.baseline, predictedPeak: nil,
                    measuredPeak: recorder.peak(of: interval))
            }
        }
        if let known { return known }
        guard let step else { throw ladder.refusal(of: request.path, within: budget) }
        // That of animations takes frames, which are counted when it has begun.
        if step.plan.decoder != .animation {
            try cancellation.expectTime(DecodingTime.estimate(of: step.plan), for: request.path)
        }
        do throws(AttachmentError) {
            return try await make(step, of: intake, budget, for: request, cancellation, interval)
        } catch {
            guard step.plan.decoder != .library, error.isUnsuitedDecoder else { throw error }
            let ladder = libraryLadder(intake.header)
            guard let step = ladder.step(within: budget, below: request.below) else {
                throw ladder.refusal(of: request.path, within: budget)
            }
            return try await make(step, of: intake, budget, for: request, cancellation, interval)
        }
    }

    /// The ladder for what a decoder of ours does not know, or may not hold the tables of.
    private func libraryLadder(_ header: AttachmentHeader) -> Ladder {
        var settings = planning
        settings.decoder = .library
        return planner(settings).ladder(header)
    }

    private func planner(_ settings: ProcessingSettings) -> Planner {
        Planner(settings: settings, placesLargeBlocks: scratch?.placement != nil)
    }

    /// Makes what one step of the ladder promises, and publishes it.
    private func make(
        _ step: Ladder.Step, of intake: Intake, _ budget: MemoryBudget,
        for request: AttachmentRequest, _ cancellation: Cancellation,
        _ interval: PeakRecorder.Interval
    ) async throws(AttachmentError) -> ProcessedAttachment {
        logger.debug("planned", metadata: ["plan": "\(step.plan)"])
        return try await granted(step, of: budget, for: request) { grant throws(AttachmentError) in
            defer { SmallHeap.trim() }
            willDecode(step.plan.rung, step.predictedPeak(in: budget))
            let renditions = try makeRenditions(step.plan, intake.file, grant, cancellation)
            guard !cancellation.isRequested else {
                throw AttachmentError(.cancelled, file: request.path, reason: "it was withdrawn")
            }
            let predicted = step.predictedPeak(in: budget).bytes + grant.added.bytes
            let memory = MemoryUse(
                baseline: budget.baseline, predictedPeak: ByteCount(predicted),
                measuredPeak: recorder.peak(of: interval))
            return try publish(renditions, step.plan, intake.digest, memory, for: request)
        }
    }

    /// Runs blocking work once the ledger has granted its bytes.
    private func granted<Value: Sendable>(
        _ step: Ladder.Step, of budget: MemoryBudget, for request: AttachmentRequest,
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
            throw AttachmentError(error, file: request.path)
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
        let result = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(AttachmentError) in try work() })
            }
        }
        return try result.get()
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
