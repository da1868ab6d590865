import AttachmentContainer
package import AttachmentIntake
import AttachmentPlanning
import AttachmentWorker
import Foundation

/// What became of one case, and what is wrong with that.
package struct MatrixResult: Sendable {
    /// The case.
    package let matrixCase: MatrixCase
    /// `made`, or the code of the error.
    package let ending: String
    /// What the worker took; nil when there is no rendition.
    package let memory: MemoryUse?
    /// The rung that it came from.
    package let rung: String?
    /// What breaks a promise; empty when nothing does.
    package var faults: [String]

    /// Whether there is a rendition.
    package var isMade: Bool { memory != nil }
}

/// What a case may come to, from the header and the settings alone.
struct MatrixExpectation {
    private let matrixCase: MatrixCase
    private let header: AttachmentHeader
    private let ladder: Ladder
    private let plannable: MemoryCap

    /// What the baseline of one worker may differ from that of another by, in bytes.
    private static let spread = 400_000
    /// What RLIMIT_DATA counts and is not footprint, at most: stacks of threads, and what is mapped and
    /// not touched (measured: 1 to 2 MB).
    private static let untouched = 2_500_000
    /// A prediction is at most twice the peak, and so much.
    private static let slack = 2_000_000

    init(_ matrixCase: MatrixCase, plannable: MemoryCap) throws(AttachmentError) {
        self.matrixCase = matrixCase
        self.plannable = plannable
        header = try Probe.header(ofFile: matrixCase.picture.url.path)
        ladder = Planner(
            settings: matrixCase.settings, placesLargeBlocks: Planner.workersPlaceLargeBlocks
        ).ladder(header)
    }

    /// Checks a rendition.
    ///
    /// - Parameter done: What the worker answered.
    /// - Returns: What is wrong.
    func faults(of done: ProcessedAttachment) -> [String] {
        let memory = done.memory
        let (cap, measured) = (matrixCase.cap.footprint, memory.measuredPeak)
        var faults: [String] = []
        if done.work != .made { faults.append("\(done.work.rawValue) in a new container") }
        if measured > cap { faults.append("peaked at \(measured)") }
        if let kernel = memory.kernelPeak, kernel > cap {
            faults.append("the kernel saw \(kernel)")
        }
        guard let predicted = memory.predictedPeak else { return faults + ["without prediction"] }
        if measured > predicted { faults.append("took \(measured), predicted \(predicted)") }
        if predicted.bytes > 2 * measured.bytes + Self.slack {
            faults.append("took no more than \(measured), predicted \(predicted)")
        }
        for rendition in done.manifest.renditions where rendition.bytes > matrixCase.ceiling {
            faults.append("a rendition of \(rendition.bytes)")
        }
        // Under RLIMIT_DATA a worker plans for what the limit leaves, which only it knows.
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
    /// - Parameters:
    ///   - error: What the worker answered.
    ///   - baseline: What a worker of this build has before its first attachment.
    /// - Returns: What is wrong.
    func faults(of error: AttachmentError, baseline: ByteCount) -> [String] {
        switch error.code {
        case .overCap:
            let isLimited = matrixCase.enforcement == .rlimit
            let most = baseline.bytes + Self.spread + (isLimited ? Self.untouched : 0)
            guard let step = ladder.step(within: budget(most)) else { return [] }
            return ["refused, but \(step.plan.rung.rawValue) takes \(step.demand.total)"]
        case .doesNotFit where header.hasAlpha && matrixCase.ceiling < .megabytes(10):
            // A PNG of the least size may be longer.
            return []
        default:
            return [error.detailedDescription]
        }
    }

    private func budget(_ baseline: Int) -> MemoryBudget {
        MemoryBudget(
            cap: plannable, baseline: ByteCount(baseline), reserve: MemoryBudget.workerReserve)
    }
}
