import Dispatch
import Synchronization

/// Runs tasks on the main thread, one after the other, in place of libdispatch's threads.
///
/// libdispatch looks into `/proc` for how its threads are doing, and ends the process when it may not:
/// in the sandbox it may not. One attachment at a time needs no more than one thread anyhow, which
/// also saves what those would take of the cap.
final class MainThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let waiting = DispatchSemaphore(value: 0)

    /// Takes a job in, from any thread.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        waiting.signal()
    }

    /// Runs what comes in, until the process ends.
    func run() -> Never {
        while true {
            waiting.wait()
            let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            job?.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
