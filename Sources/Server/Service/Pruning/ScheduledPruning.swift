import AttachmentContainer
import AttachmentPublishing
import AttachmentStore
import Foundation
import Logging
import ServiceLifecycle
import ServiceOptions
import Synchronization

/// Keeps the container, and on request the store, within their limits.
///
/// Instances that share a container prune one at a time, and together once an interval. A pruning waits
/// until its instance has no work, but not longer than another interval.
struct ScheduledPruning: Service {
    let container: SharedContainer
    let policy: PruningPolicy
    let interval: Double
    /// The store to remove objects from; nil to leave them.
    let store: (destination: StoreDestination, access: StoreAccess)?
    let metrics: PruningMetrics
    let draining: Draining
    let logger: Logger
    /// True while the instance has no work.
    let isQuiet: @Sendable () -> Bool

    /// Nil if the configuration asks for no pruning.
    init?(
        _ configuration: ServiceConfiguration, of container: SharedContainer,
        _ metrics: ServiceMetrics, _ draining: Draining, _ logger: Logger,
        isQuiet: @escaping @Sendable () -> Bool
    ) throws {
        guard configuration.pruneInterval > 0 else { return nil }
        self.container = container
        policy = try configuration.pruning()
        interval = configuration.pruneInterval
        let access = configuration.storeAccess(logger)
        let destination =
            configuration.prunePublished ? try configuration.publishing.destination(access) : nil
        store = destination.map { ($0, access) }
        self.metrics = PruningMetrics(in: metrics, of: container)
        self.draining = draining
        self.logger = logger
        self.isQuiet = isQuiet
    }

    /// Time between two looks at the clock and the work.
    private var pause: Duration { .seconds(min(5, max(0.1, interval / 10))) }

    func run() async throws {
        let start = Date()
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // Ages of files are measured by it: it must notice a jump back before one forward.
                _ = SteadyClock.process.now
                do throws(ContainerError) {
                    try await pruneIfDue(since: start)
                } catch {
                    metrics.failed()
                    logger.error("pruning failed", metadata: Self.reason(error))
                    // An unusable container fails as often as it is pruned otherwise.
                    try? await Deadline.sleep(for: .seconds(interval))
                }
                try? await Deadline.sleep(for: pause)
            }
        }
    }

    private func pruneIfDue(since start: Date) async throws(ContainerError) {
        let last = try await lastPruning()
        guard isDue(last), isQuiet() || age(of: last ?? start) >= 2 * interval else { return }
        let turn = try await BlockingWork.run { () throws(ContainerError) in
            try PruningTurn.take(in: container)
        }
        // Another instance may have pruned before this one had the turn.
        guard let turn, isDue(try await lastPruning()) else { return }
        try await prune()
        // The next instance goes on with an interrupted pruning.
        guard !draining.hasBegun else { return }
        try turn.finish()
    }

    private func prune() async throws(ContainerError) {
        let begun = ContinuousClock.now
        var summary = PruningSummary()
        let failures = Failures()
        summary.files = try await BlockingWork.run {
            [container, policy, draining] () throws(ContainerError) in
            try container.prune(policy, isCancelled: { draining.hasBegun }) { event in
                if case .failure(let error) = event { failures.add(Self.reason(error)) }
            }
        }
        if let (destination, access) = store, !draining.hasBegun {
            summary.objects = try await ObjectPruning(
                of: container, only: destination, by: policy, access: access
            ).run { event in
                if case .failure(let error) = event { failures.add(Self.reason(error)) }
            }
        }
        metrics.record(summary)
        for reason in failures.first { logger.warning("not pruned", metadata: reason) }
        logger.log(
            level: summary.isEmpty ? .info : .notice, "pruned",
            metadata: summary.metadata(after: begun.duration(to: .now)))
    }

    private func lastPruning() async throws(ContainerError) -> Date? {
        try await BlockingWork.run { [container] () throws(ContainerError) in
            try PruningTurn.last(in: container)
        }
    }

    private func isDue(_ last: Date?) -> Bool { last.map { age(of: $0) >= interval } ?? true }

    /// Seconds since a time; infinite for one in the future, because the clock was set back.
    private func age(of time: Date) -> Double {
        let age = -time.timeIntervalSinceNow
        return age < -1 ? .infinity : age
    }

    private static func reason(_ error: ContainerError) -> Logger.Metadata {
        ["code": "\(error.code.rawValue)", "reason": "\(error.reason)"]
    }

    private static func reason(_ error: StoreError) -> Logger.Metadata {
        ["code": "\(error.code.rawValue)", "reason": "\(error.reason)"]
    }

    /// The first failures of a pruning; the number of all is in its summary.
    private final class Failures: Sendable {
        private static let kept = 10
        private let state = Mutex([Logger.Metadata]())

        var first: [Logger.Metadata] { state.withLock { $0 } }

        func add(_ reason: Logger.Metadata) {
            state.withLock { if $0.count < Self.kept { $0.append(reason) } }
        }
    }
}
