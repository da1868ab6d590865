internal import Foundation

/// Thread with a small stack.
///
/// Not `Foundation.Thread`: a statically linked process would carry all of Foundation, and writes
/// to most of a megabyte of it at launch.
package enum SmallThread {
    /// Starts a thread; false if that is impossible.
    ///
    /// The Swift runtime's frames need 128 KiB of stack.
    @discardableResult
    package static func start(stackBytes: Int, _ work: @escaping @Sendable () -> Void) -> Bool {
        create(stackBytes: stackBytes, isDetached: true, work) != nil
    }

    /// Runs the same work on the calling thread and on a new one until both have ended; on the calling
    /// thread alone if no thread can be started.
    package static func runPair(stackBytes: Int, _ work: @escaping @Sendable () -> Void) {
        let other = create(stackBytes: stackBytes, isDetached: false, work)
        work()
        if let other { pthread_join(other, nil) }
    }

    private static func create(
        stackBytes: Int, isDetached: Bool, _ work: @escaping @Sendable () -> Void
    ) -> pthread_t? {
        var started: pthread_t?
        ThreadAttributes.with { attributes in
            pthread_attr_setstacksize(attributes, stackBytes)
            if isDetached {
                pthread_attr_setdetachstate(attributes, CInt(PTHREAD_CREATE_DETACHED))
            }
            #if canImport(Darwin)
                var thread: pthread_t?
            #else
                var thread = pthread_t()
            #endif
            let job = Unmanaged.passRetained(Job(work: work))
            guard pthread_create(&thread, attributes, { Job.run($0) }, job.toOpaque()) == 0 else {
                job.release()
                return
            }
            started = thread
        }
        return started
    }

    private final class Job: Sendable {
        private let work: @Sendable () -> Void

        init(work: @escaping @Sendable () -> Void) { self.work = work }

        static func run(_ job: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            // Balances `passRetained` in `start`.
            if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().work() }
            return nil
        }
    }
}

enum ThreadAttributes {
    /// Calls `body` with default attributes, if the system provides them.
    ///
    /// Allocated rather than declared: Swift sees the initialiser of `pthread_attr_t` in whichever
    /// C module includes it first, which need not be one that can be imported.
    static func with(_ body: (UnsafeMutablePointer<pthread_attr_t>) -> Void) {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        guard pthread_attr_init(attributes) == 0 else { return }
        defer { pthread_attr_destroy(attributes) }
        body(attributes)
    }
}
