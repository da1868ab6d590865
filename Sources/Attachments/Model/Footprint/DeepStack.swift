internal import Foundation

/// Work on a stack of its own, for C code whose frames do not fit the stacks of workers.
///
/// The stack is unmapped when the work is done. Neither the C library's cache of stacks nor the main
/// thread's stack therefore stays large.
package enum DeepStack {
    /// Runs `work` on a new thread while the caller waits; nil if no thread can be started.
    package static func run<Value, Failure: Error>(
        bytes: Int, _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        var result: Result<Value, Failure>?
        let isStarted = withoutActuallyEscaping({
            result = Result { () throws(Failure) in try work() }
        }) { start(stackBytes: bytes, $0) }
        guard isStarted, let result else { return nil }
        return try result.get()
    }

    private static func start(stackBytes: Int, _ work: @escaping () -> Void) -> Bool {
        let page = Int(getpagesize())
        // The lowest page is a guard.
        let length = (stackBytes + page - 1) / page * page + page
        guard
            let stack = mmap(
                nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            stack != MAP_FAILED
        else { return false }
        defer { munmap(stack, length) }
        guard mprotect(stack, page, PROT_NONE) == 0 else { return false }
        var isStarted = false
        ThreadAttributes.with { attributes in
            guard pthread_attr_setstack(attributes, stack + page, length - page) == 0 else {
                return
            }
            #if canImport(Darwin)
                var thread: pthread_t?
            #else
                var thread = pthread_t()
            #endif
            let job = Unmanaged.passRetained(Job(work))
            guard pthread_create(&thread, attributes, { Job.run($0) }, job.toOpaque()) == 0 else {
                job.release()
                return
            }
            #if canImport(Darwin)
                if let thread { pthread_join(thread, nil) }
            #else
                pthread_join(thread, nil)
            #endif
            isStarted = true
        }
        return isStarted
    }

    private final class Job {
        private let work: () -> Void

        init(_ work: @escaping () -> Void) { self.work = work }

        static func run(_ job: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            // Balances `passRetained` in `start`.
            if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().work() }
            return nil
        }
    }
}
