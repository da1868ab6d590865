import AttachmentContainer
import AttachmentFleet
import AttachmentModel
import AttachmentWorker
import Logging
import ServiceOptions
import Synchronization

/// Workers for the settings of jobs, started when a job needs them.
///
/// Those whose settings were used longest ago make room for others.
final class PoolsBySettings: Sendable {
    /// Settings come from messages, so their number must be bounded.
    private static let capacity = 16

    private struct Entry {
        let pool: WorkerPool
        /// Jobs at work.
        var jobs = 0
        var lastUse = 0
    }

    private struct State {
        var entries: [ProcessingSettings: Entry] = [:]
        var uses = 0
        /// Workers that pools lost before they made room.
        var lost = 0
        var closing: [Int: Task<Void, Never>] = [:]

        /// Settings of the pool without a job that was used longest ago.
        var oldestIdle: ProcessingSettings? {
            entries.filter { $0.value.jobs == 0 }.min { $0.value.lastUse < $1.value.lastUse }?.key
        }
    }

    private let configuration: ServiceConfiguration
    private let container: SharedContainer
    private let jobs: Int
    private let metrics: ServiceMetrics
    private let logger: Logger
    private let state = Mutex(State())

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

    /// A place among the workers for settings; nil while jobs with other settings use all pools.
    ///
    /// - Throws: `WorkerPoolError` if no worker can be started.
    func place(for settings: ProcessingSettings) throws -> FleetWorker.Place? {
        let pool: WorkerPool? = try state.withLock { state in
            state.uses += 1
            if state.entries[settings] == nil {
                let isFull = state.entries.count >= Self.capacity
                let oldest = isFull ? state.oldestIdle : nil
                guard !isFull || oldest != nil else { return nil }
                let pool = try makePool(settings)
                if let oldest { close(oldest, &state) }
                state.entries[settings] = Entry(pool: pool)
            }
            state.entries[settings]?.lastUse = state.uses
            state.entries[settings]?.jobs += 1
            return state.entries[settings]?.pool
        }
        return pool.map { pool in
            FleetWorker.Place(
                MeteredProcessor(processor: pool, metrics: metrics, cap: settings.cap)
            ) { [self] in
                state.withLock { $0.entries[settings]?.jobs -= 1 }
            }
        }
    }

    var workersLost: Int {
        state.withLock { state in
            state.entries.values.reduce(state.lost) { $0 + $1.pool.statistics.lost }
        }
    }

    func close() async {
        let (pools, closing) = state.withLock { state in
            (state.entries.values.map(\.pool), Array(state.closing.values))
        }
        for pool in pools { await pool.close() }
        for task in closing { await task.value }
    }

    private func makePool(_ settings: ProcessingSettings) throws -> WorkerPool {
        let metrics = metrics
        return try WorkerPool(
            settings: settings, container: container, workers: jobs,
            enforcement: configuration.workers.enforcement,
            timeout: .seconds(configuration.workers.timeout),
            sandbox: configuration.workers.sandbox, threads: configuration.workers.threads,
            logger: logger
        ) { metrics.record(.init($0), $1) }
    }

    /// Ends the workers for settings that no job has.
    private func close(_ settings: ProcessingSettings, _ state: inout State) {
        guard let pool = state.entries.removeValue(forKey: settings)?.pool else { return }
        state.lost += pool.statistics.lost
        let number = state.uses
        // It cannot end before the lock is given back.
        state.closing[number] = Task { [self] in
            await pool.close()
            self.state.withLock { $0.closing[number] = nil }
        }
    }
}
