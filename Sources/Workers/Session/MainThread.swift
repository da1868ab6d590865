import AttachmentContainer
import Dispatch

/// Runs tasks on the main thread, in place of libdispatch's threads.
///
/// libdispatch reads `/proc` to monitor its threads and traps when the sandbox denies it. One
/// thread is enough for one attachment at a time, and it saves the stacks of the others.
@available(macOS 15, *)
final class MainThread: TaskExecutor {
    private let jobs = Lock<[UnownedJob]>([])
    private let waiting = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        waiting.signal()
    }

    /// Runs jobs until the process exits.
    func run() -> Never {
        while true {
            waiting.wait()
            let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            job?.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
