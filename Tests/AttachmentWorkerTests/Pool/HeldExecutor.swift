import AttachmentContainer
import Dispatch

/// An executor that can be paused, to test events between the resumption of a task and its next
/// job.
final class HeldExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "held")
    private let count = Lock(0)

    /// Number of jobs enqueued so far.
    var jobs: Int { count.withLock { $0 } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        count.withLock { $0 += 1 }
    }

    /// Waits for the running job and pauses.
    func hold() { queue.sync { queue.suspend() } }

    func release() { queue.resume() }
}
