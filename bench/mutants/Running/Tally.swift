import AttachmentContainer
import AttachmentWorker
import WorkerProtocol

/// A mutant with an unexpected result.
struct Finding: Sendable, Encodable {
    let number: Int
    let story: String
    let fault: String
}

/// Counts of results.
struct Tally: Sendable {
    /// Counts by structure and outcome.
    private(set) var outcomes: [Original.Structure: [String: Int]] = [:]
    /// Number of files of all renditions.
    var renditions = 0
    /// Number of rungs stopped because they needed more than predicted.
    var stoppedAtCap = 0
    var highestPeak = ByteCount(0)
    var slowest: (seconds: Double, number: Int) = (0, 0)
    var findings: [Finding] = []
    var enforcement: Enforcement.Mechanism?
    var sandbox: SandboxReport?

    mutating func count(_ outcome: String, of structure: Original.Structure) {
        outcomes[structure, default: [:]][outcome, default: 0] += 1
    }

    mutating func add(_ other: Tally) {
        for (structure, counts) in other.outcomes {
            outcomes[structure, default: [:]].merge(counts, uniquingKeysWith: +)
        }
        renditions += other.renditions
        stoppedAtCap += other.stoppedAtCap
        highestPeak = max(highestPeak, other.highestPeak)
        if other.slowest.seconds > slowest.seconds { slowest = other.slowest }
        findings += other.findings
        enforcement = enforcement ?? other.enforcement
        sandbox = sandbox ?? other.sandbox
    }
}
