import AttachmentContainer
import AttachmentPublishing
import JobBroker
import Synchronization

/// Lengths of the queues, polled for autoscalers.
final class QueueDepths: Sendable {
    /// Interval of a usual scrape.
    private static let interval = Duration.seconds(15)

    private let depths = Mutex<[QueueInspection.Depth]>([])
    private let task: Mutex<Task<Void, Never>?> = Mutex(nil)

    init(_ broker: BrokerSettings) {
        task.withLock {
            $0 = Task { [weak self] in
                while !Task.isCancelled {
                    // An unavailable broker is logged by the connections that need it.
                    if let found = await Self.look(broker) { self?.depths.withLock { $0 = found } }
                    try? await Deadline.sleep(for: Self.interval)
                }
            }
        }
    }

    /// Latest lengths; empty before the first poll.
    var latest: [QueueInspection.Depth] { depths.withLock { $0 } }

    /// True if no job waits for a worker.
    var isEmpty: Bool {
        latest.allSatisfy { $0.ready == 0 || ![.transactional, .campaign].contains($0.queue) }
    }

    func end() { task.withLock { $0?.cancel() } }

    private static func look(_ broker: BrokerSettings) async -> [QueueInspection.Depth]? {
        await BlockingWork.run {
            guard let queues = try? QueueInspection.open(broker) else { return nil }
            let depths = try? queues.depths()
            queues.close()
            return depths
        }
    }
}
