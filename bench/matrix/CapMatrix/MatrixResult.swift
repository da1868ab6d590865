import AttachmentContainer
internal import AttachmentFormats
package import AttachmentModel
internal import AttachmentPlanning
import AttachmentWorker
import Foundation

/// The outcome of one case.
package struct MatrixResult: Sendable {
    /// The case.
    package let matrixCase: MatrixCase
    /// `made`, or the code of the error.
    package let ending: String
    /// The memory use of the worker; nil without a rendition.
    package let memory: MemoryUse?
    /// The rung in the manifest; nil without a rendition.
    package let rung: String?
    /// Broken promises; empty if all were kept.
    package var faults: [String]

    /// True if there is a rendition.
    package var isMade: Bool { memory != nil }
}

/// The outcomes that the planner allows for a case.
struct MatrixExpectation {
    private let matrixCase: MatrixCase
    private let header: AttachmentHeader
    private let ladder: PlanLadder
    /// Memory that the enforcement counts beside the footprint.
    private let overhead: ByteCount

    /// The largest difference between the baselines of two workers, in bytes.
    private static let spread = 400_000
    /// Mapped but untouched memory that `RLIMIT_DATA` counts, above all thread stacks, in bytes
    /// (measured: 1 to 2 MB).
    private static let untouched = 2_500_000
    /// A prediction may be twice the peak plus this many bytes.
    private static let slack = 2_000_000
    private static let unusedConversion = 1_700_000

    init(_ matrixCase: MatrixCase, overhead: ByteCount) throws(AttachmentError) {
        self.matrixCase = matrixCase
        self.overhead = overhead
        header = try Probe().picture(at: matrixCase.picture.url.path)
        ladder = Planner(
            settings: matrixCase.settings, placesLargeBlocks: Planner.workersPlaceLargeBlocks
        ).ladder(header)
    }

    /// Checks a rendition.
    func faults(of done: ProcessedAttachment) -> [String] {
        let memory = done.memory
        let (cap, measured) = (matrixCase.cap.footprint, memory.measuredPeak)
        var faults: [String] = []
        if done.work != .made { faults.append("\(done.work.rawValue) in a new container") }
        if measured > cap { faults.append("peaked at \(measured)") }
        if let kernel = memory.kernelPeak, kernel > cap {
            faults.append("the kernel counted \(kernel)")
        }
        guard let predicted = memory.predictedPeak else { return faults + ["without prediction"] }
        if measured > predicted { faults.append("took \(measured), predicted \(predicted)") }
        // With alpha, a prediction may include the choice of a palette, which takes 1.4 MB that a
        // picture of few colours does not. Of the 2 MB for a large conversion, a small picture may take
        // 0.3 MB.
        let slack = Self.slack + (header.hasLargeConversion ? Self.unusedConversion : 0)
        if !header.hasAlpha, predicted.bytes > 2 * measured.bytes + slack {
            faults.append("peaked at only \(measured), predicted \(predicted)")
        }
        for rendition in done.manifest.renditions
        where rendition.bytes > matrixCase.settings.maximumBytes(of: rendition.role) {
            faults.append("\(rendition.role.rawValue) of \(rendition.bytes)")
        }
        let roles = done.manifest.renditions.map(\.role).filter { $0 != .attachment }
        if roles != matrixCase.presets.roles {
            faults.append("the renditions \(roles.map(\.rawValue))")
        }
        // Under RLIMIT_DATA a worker plans for the rest of the limit, which the supervisor is not
        // told.
        if matrixCase.enforcement == .cgroup {
            let budget = budget(memory.baseline.bytes)
            let rung = ladder.step(within: budget)?.plan.rung.rawValue
            if rung != done.manifest.rung {
                faults.append("\(done.manifest.rung) in place of \(rung ?? "a refusal")")
            }
        }
        return faults
    }

    /// Checks an error.
    ///
    /// `baselines` are the workers' baselines, by engine.
    func faults(of error: AttachmentError, _ baselines: [Engine: ByteCount]) -> [String] {
        switch error.code {
        case .overCap:
            let isLimited = matrixCase.enforcement == .rlimit
            let spread = Self.spread + (isLimited ? Self.untouched : 0)
            let step = ladder.steps.first { step in
                // Every step of `--engine libvips` runs in the worker with libvips, which alone
                // links libjxl.
                let usesLibvips =
                    matrixCase.settings.engine == .libvips
                    || header.coding.decoderLibrary == .libjxl
                let engine = usesLibvips ? .libvips : step.plan.engine
                let baseline = baselines[engine]?.bytes ?? 0
                return step.fits(in: budget(baseline + spread))
            }
            guard let step else { return [] }
            return ["refused, but \(step.plan.rung.rawValue) takes \(step.demand.total)"]
        case .doesNotFit where header.hasAlpha && matrixCase.ceiling < .megabytes(10):
            // A PNG of the smallest size may be longer than the ceiling.
            return []
        default:
            return [error.detailedDescription]
        }
    }

    private func budget(_ baseline: Int) -> MemoryBudget {
        MemoryBudget(
            cap: matrixCase.settings.cap, baseline: ByteCount(baseline),
            reserve: ByteCount(MemoryBudget.workerReserve.bytes + overhead.bytes))
    }
}
