internal import Foundation

/// A thread with a small stack, for work that holds a few numbers.
///
/// Not Foundation's own: a process that is linked statically would carry all of Foundation for it,
/// most of a megabyte of which is written to when it starts.
package enum SmallThread {
    /// Starts a thread; where none can be had, nothing runs.
    ///
    /// - Parameters:
    ///   - stackBytes: The stack, in bytes; the frames of the runtime need 128 KiB.
    ///   - work: What it does; the thread ends with it.
    package static func start(stackBytes: Int, _ work: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackBytes)
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let job = Unmanaged.passRetained(Job(work: work))
        let failure = pthread_create(&thread, &attributes, { Job.run($0) }, job.toOpaque())
        if failure != 0 { job.release() }
    }

    /// What a thread is handed.
    private final class Job: Sendable {
        private let work: @Sendable () -> Void

        init(work: @escaping @Sendable () -> Void) { self.work = work }

        static func run(_ job: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            // The one reference that `start` retained for this thread.
            if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().work() }
            return nil
        }
    }
}
