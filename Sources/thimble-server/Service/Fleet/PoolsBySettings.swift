import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Logging
import ServiceOptions
import Synchronization

/// Workers for the settings of jobs, started when a job needs them.
final class PoolsBySettings: Sendable {
    /// Settings come from messages, so their number must be bounded.
    private static let capacity = 16

    private let configuration: ServiceConfiguration
    private let container: SharedContainer
    private let jobs: Int
    private let metrics: ServiceMetrics
    private let logger: Logger
    private let pools = Mutex<[ProcessingSettings: WorkerPool]>([:])

    init(
        _ configuration: ServiceConfiguration, _ container: SharedContainer, jobs: Int,
        _ metrics: ServiceMetrics, _ logger: Logger
    ) {
        self.configuration = configuration
        self.container = container
        self.jobs = jobs
        self.metrics = metrics
        self.logger = logger
    }

    /// The workers for settings.
    ///
    /// - Throws: `SettingsError` once there are too many different ones.
    func processor(_ settings: ProcessingSettings) throws -> MeteredProcessor {
        let pool = try pools.withLock { pools in
            if let known = pools[settings] { return known }
            guard pools.count < Self.capacity else {
                throw SettingsError(
                    field: "settings", range: "at most \(Self.capacity) different ones at once")
            }
            let metrics = metrics
            let made = try WorkerPool(
                settings: settings, container: container, workers: jobs,
                enforcement: configuration.enforce, timeout: .seconds(configuration.timeout),
                sandbox: configuration.sandbox, logger: logger
            ) { metrics.record(.init($0), $1) }
            pools[settings] = made
            return made
        }
        return MeteredProcessor(processor: pool, metrics: metrics, cap: settings.cap)
    }

    var workersLost: Int {
        pools.withLock { $0.values.reduce(0) { $0 + $1.statistics.lost } }
    }

    func close() async {
        for pool in pools.withLock({ Array($0.values) }) { await pool.close() }
    }
}
