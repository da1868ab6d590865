import AttachmentContainer
import Foundation
import PrometheusMetrics
import Synchronization

/// Metrics of scheduled prunings.
final class PruningMetrics: Sendable {
    private let prunings: LabelledCounter
    private let files: LabelledCounter
    private let bytes: LabelledCounter
    private let left = Mutex<PruningReport.Holdings?>(nil)

    init(in metrics: ServiceMetrics, of container: SharedContainer) {
        let registry = metrics.registry
        prunings = LabelledCounter(
            "thimble_prunings_total", labels: ["outcome"],
            "Prunings by this instance: complete, partial with failures, or failed.", in: registry)
        files = LabelledCounter(
            "thimble_pruned_files_total", labels: ["reason"],
            "Files and objects removed by prunings of this instance.", in: registry)
        bytes = LabelledCounter(
            "thimble_pruned_bytes_total", labels: ["reason"],
            "Bytes of the files and objects removed.", in: registry)
        for outcome in ["complete", "partial", "failed"] { prunings.prepare(outcome) }
        let reasons =
            PruningReason.allCases.map(\.rawValue)
            + [PruningSummary.staleObject, PruningSummary.unfinishedObject]
        for reason in reasons {
            files.prepare(reason)
            bytes.prepare(reason)
        }
        registry.declare(
            MetricDescription(
                "thimble_last_pruning_seconds", .gauge,
                "End of the last pruning by any instance, in Unix time.")
        ) {
            let last = (try? PruningTurn.last(in: container)) ?? nil
            return last.map { [.init($0.timeIntervalSince1970)] } ?? []
        }
        for (name, help, value) in [
            ("notifications", "Notifications", \PruningReport.Holdings.notifications),
            ("renditions", "Renditions", \.renditions), ("bytes", "Bytes", \.bytes.bytes),
        ] as [(String, String, KeyPath<PruningReport.Holdings, Int> & Sendable)] {
            registry.declare(
                MetricDescription(
                    "thimble_container_\(name)", .gauge,
                    "\(help) in the container after the last pruning by this instance.")
            ) { [self] in left.withLock { $0 }.map { [.init(Double($0[keyPath: value]))] } ?? [] }
        }
    }

    func record(_ summary: PruningSummary) {
        prunings.increment(summary.failures == 0 ? "complete" : "partial")
        for (reason, count, length) in summary.removed {
            files.increment(reason, by: count)
            bytes.increment(reason, by: length)
        }
        left.withLock { $0 = summary.files?.after }
    }

    func failed() { prunings.increment("failed") }
}
