import AttachmentContainer
import Foundation

/// Prunes a container to a number of notifications.
struct PruningActor: Actor {
    let container: SharedContainer
    let policy: PruningPolicy
    private var prunings = 0
    private var removed: [PruningReason: Int] = [:]

    init(container: SharedContainer, policy: PruningPolicy) {
        self.container = container
        self.policy = policy
    }

    mutating func step() throws {
        let report = try container.prune(policy) { event in
            if case .failure(let error) = event { Tally.violation(error.detailedDescription) }
        }
        prunings += 1
        for (reason, tally) in report.removed { removed[reason, default: 0] += tally.files }
        // Gives writers time to add notifications.
        Thread.sleep(forTimeInterval: 0.02)
    }

    func finish() {
        Tally.write("prunings", prunings)
        Tally.write("evicted", removed[.count] ?? 0)
        Tally.write("renditions removed", removed[.unreferenced] ?? 0)
    }
}

/// Verifies a container repeatedly.
struct VerifyingActor: Actor {
    let container: SharedContainer
    private var verifications = 0

    init(container: SharedContainer) { self.container = container }

    mutating func step() throws {
        container.verify { event in
            if case .finding(let finding) = event, finding.severity != .information {
                Tally.violation(finding.description)
            }
        }
        verifications += 1
    }

    func finish() { Tally.write("verifications", verifications) }
}
