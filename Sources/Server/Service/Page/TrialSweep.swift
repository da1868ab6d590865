import AttachmentContainer
import ServiceLifecycle
import ServiceOptions

/// Removes the containers that trials of a killed process left, at the start and then regularly.
struct TrialSweep: Service {
    let container: SharedContainer
    /// The longest time of a trial, in seconds, and the pause between two sweeps.
    let lifetime: Double

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await TrialFolder.removeForgotten(in: container, after: lifetime)
                try? await Deadline.sleep(for: .seconds(lifetime))
            }
        }
    }
}

extension ServiceConfiguration {
    /// The longest time of a trial with its transfers, in seconds, and a minute for its removal.
    var trialLifetime: Double { maxDeadline + workers.timeout + 60 }
}
