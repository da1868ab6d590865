import AttachmentContainer
import AttachmentWorker
import ProcessSandbox

/// A mutant that something is wrong with.
struct Finding: Sendable, Encodable {
    let number: Int
    let story: String
    let fault: String
}

/// What mutants came to.
struct Tally: Sendable {
    /// How many, by structure and by what they came to.
    private(set) var outcomes: [Original.Structure: [String: Int]] = [:]
    /// How often a rung was stopped because it needed more than was predicted.
    var stoppedAtCap = 0
    var highestPeak = ByteCount(0)
    var slowest: (seconds: Double, number: Int) = (0, 0)
    var findings: [Finding] = []
    var enforcement: Enforcement.Mechanism?
    var sandbox: SandboxReport?

    /// Counts one.
    mutating func count(_ outcome: String, of structure: Original.Structure) {
        outcomes[structure, default: [:]][outcome, default: 0] += 1
    }

    /// Adds what another worker's came to.
    mutating func add(_ other: Tally) {
        for (structure, counts) in other.outcomes {
            outcomes[structure, default: [:]].merge(counts, uniquingKeysWith: +)
        }
        stoppedAtCap += other.stoppedAtCap
        highestPeak = max(highestPeak, other.highestPeak)
        if other.slowest.seconds > slowest.seconds { slowest = other.slowest }
        findings += other.findings
        enforcement = enforcement ?? other.enforcement
        sandbox = sandbox ?? other.sandbox
    }
}
