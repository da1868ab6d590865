import Dispatch
import Synchronization

/// Runs tasks one job after the other, and none while it is held: what happens between a task's
/// being woken and its going on can then be made to happen.
final class HeldExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "held")
    private let count = Mutex(0)

    /// How many jobs it was given so far.
    var jobs: Int { count.withLock { $0 } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        count.withLock { $0 += 1 }
    }

    /// Waits for the job that runs, and begins no other.
    func hold() { queue.sync { queue.suspend() } }

    /// Goes on.
    func release() { queue.resume() }
}
