package import Logging
import Synchronization

/// Receives jobs, and runs a number of them at once.
///
/// A transactional job begins before all others that wait here. A job is acknowledged once its work
/// is over; one that is lost with a connection or a process comes again, here or elsewhere.
package final class JobConsumer: Sendable {
    /// The end of a job's work.
    package enum Settlement: Sendable {
        case done
        /// The job goes back into its queue, for another consumer.
        case givenBack
    }

    /// Runs one job.
    package typealias Work = @Sendable (JobQueue, BrokerDelivery) async -> Settlement

    private let role: ConsumingRole
    private let link: BrokerLink

    /// Connects on a thread of its own; jobs begin at once.
    package init(
        _ settings: BrokerSettings, jobs: Int, _ logger: Logger, work: @escaping Work
    ) {
        let role = ConsumingRole(settings, jobs: jobs, work)
        self.role = role
        link = BrokerLink(settings, role, name: "thimble.consumer", logger)
        role.wake = { [weak link] in link?.wake() }
    }

    package var running: Int { role.running }

    /// True while a connection is open.
    package var isConnected: Bool { role.isConnected }

    /// Takes no more jobs, gives back those that have not begun, and waits for the others.
    ///
    /// Cancellation of the task cancels them; the rest goes back to its queues.
    package func drain() async {
        role.stop()
        link.wake()
        await withTaskCancellationHandler {
            for task in role.tasks { await task.value }
        } onCancel: {
            for task in role.tasks { task.cancel() }
        }
        role.close()
        await link.end()
    }
}

/// Received jobs, running and waiting ones.
final class ConsumingRole: LinkRole {
    private static let jobQueues: [JobQueue] = [.transactional, .campaign]
    /// Time between two looks for jobs that were lost before, without and beside other jobs.
    private static let (idleInterval, busyInterval) = (Duration.seconds(1), Duration.seconds(5))

    private struct Waiting {
        let queue: JobQueue
        let delivery: BrokerDelivery
    }

    private struct State {
        /// Tells connections apart, because tags are numbers within one.
        var generation = 0
        var isConnected = false
        var waiting: [JobQueue: [BrokerDelivery]] = [:]
        /// Number of jobs that have begun.
        var begun = 0
        /// Running jobs.
        var tasks: [Int: Task<Void, Never>] = [:]
        /// True while a job that was lost before runs alone.
        var isAlone = false
        /// True while others wait to begin, so that such a job can run alone.
        var makesRoom = false
        var lastLook = ContinuousClock.now
        var settled: [(generation: Int, tag: UInt64, isDone: Bool)] = []
        var isStopping = false
        var isCancelled = false
        var isClosed = false

        /// The next job that may begin.
        mutating func next(jobs: Int) -> Waiting? {
            guard !isStopping, !isAlone else { return nil }
            if let delivery = waiting[.lost]?.popLast() {
                isAlone = true
                return Waiting(queue: .lost, delivery: delivery)
            }
            guard !makesRoom else { return nil }
            guard tasks.count < jobs else { return nil }
            for queue in [JobQueue.transactional, .campaign] {
                guard let delivery = waiting[queue]?.first else { continue }
                waiting[queue]?.removeFirst()
                return Waiting(queue: queue, delivery: delivery)
            }
            return nil
        }
    }

    private let settings: BrokerSettings
    private let jobs: Int
    private let work: JobConsumer.Work
    private let state = Mutex(State())
    private let wakeUp = Mutex<@Sendable () -> Void>({})

    init(_ settings: BrokerSettings, jobs: Int, _ work: @escaping JobConsumer.Work) {
        self.settings = settings
        self.jobs = jobs
        self.work = work
    }

    var wake: @Sendable () -> Void {
        get { wakeUp.withLock { $0 } }
        set { wakeUp.withLock { $0 = newValue } }
    }

    var running: Int { state.withLock { $0.tasks.count } }

    var tasks: [Task<Void, Never>] { state.withLock { Array($0.tasks.values) } }

    var isConnected: Bool { state.withLock { $0.isConnected } }

    func stop() { state.withLock { $0.isStopping = true } }

    func close() { state.withLock { $0.isClosed = true } }

    func opened(_ connection: borrowing BrokerConnection) throws(BrokerError) {
        try connection.declareQueues(settings)
        for queue in Self.jobQueues {
            try connection.consume(settings.name(queue), prefetch: jobs)
        }
        state.withLock { state in
            state.generation += 1
            state.isConnected = true
            state.isCancelled = false
        }
    }

    func work(_ connection: borrowing BrokerConnection) throws(BrokerError) -> Bool {
        let (settled, generation, isClosed) = state.withLock { state in
            defer { state.settled = [] }
            return (state.settled, state.generation, state.isClosed)
        }
        for entry in settled where entry.generation == generation {
            if entry.isDone {
                try connection.acknowledge(entry.tag)
            } else {
                try connection.giveBack(entry.tag)
            }
        }
        if state.withLock({ $0.isStopping && !$0.isCancelled }) {
            for queue in Self.jobQueues { try connection.cancel(settings.name(queue)) }
            let waiting = state.withLock { state in
                defer { state.waiting = [:] }
                state.isCancelled = true
                return state.waiting.values.flatMap(\.self)
            }
            for delivery in waiting { try connection.giveBack(delivery.tag) }
        }
        try lookForLost(connection)
        return !isClosed
    }

    /// Takes a job that was lost before, once nothing else runs.
    ///
    /// It is taken only then, because one that merely waits here would count as tried when this
    /// process ends. Jobs that wait make room, so that it does not wait for ever.
    private func lookForLost(_ connection: borrowing BrokerConnection) throws(BrokerError) {
        let lost = settings.name(.lost)
        let isDue = state.withLock { state in
            let interval = state.tasks.isEmpty ? Self.idleInterval : Self.busyInterval
            guard !state.isStopping, !state.isAlone, !state.makesRoom,
                state.lastLook.duration(to: .now) > interval
            else { return false }
            state.lastLook = .now
            return true
        }
        if isDue, try connection.count(lost).messages > 0 {
            state.withLock { $0.makesRoom = true }
        }
        guard state.withLock({ $0.makesRoom && $0.tasks.isEmpty && !$0.isStopping }) else { return }
        let delivery = try connection.get(lost)
        state.withLock { state in
            state.makesRoom = false
            if let delivery { state.waiting[.lost] = [delivery] }
        }
        begin()
    }

    func received(
        _ event: BrokerConnection.Event, _ connection: borrowing BrokerConnection
    ) throws(BrokerError) {
        guard case .delivery(let delivery) = event else { return }
        let queue = Self.jobQueues.first { settings.name($0) == delivery.queue }
        guard let queue, !state.withLock({ $0.isStopping }) else {
            return try connection.giveBack(delivery.tag)
        }
        state.withLock { $0.waiting[queue, default: []].append(delivery) }
        begin()
    }

    func lost(_ error: BrokerError) {
        state.withLock { state in
            // Jobs that have not begun are redelivered. Running jobs finish, because the store
            // keeps their results.
            state.waiting = [:]
            state.makesRoom = false
            state.isConnected = false
            state.generation += 1
        }
    }

    /// Begins jobs while there is room.
    private func begin() {
        while state.withLock({ begin(&$0) }) {}
    }

    private func begin(_ state: inout State) -> Bool {
        guard let next = state.next(jobs: jobs) else { return false }
        state.begun += 1
        let (number, generation) = (state.begun, state.generation)
        // It cannot finish before the lock is given back.
        state.tasks[number] = Task {
            let settlement = await work(next.queue, next.delivery)
            finish(next, number, generation, settlement)
        }
        return true
    }

    private func finish(
        _ job: Waiting, _ number: Int, _ generation: Int, _ settlement: JobConsumer.Settlement
    ) {
        state.withLock { state in
            state.tasks[number] = nil
            if job.queue == .lost { state.isAlone = false }
            state.settled.append((generation, job.delivery.tag, settlement == .done))
        }
        begin()
        wake()
    }
}
