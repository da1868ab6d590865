import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if !canImport(Darwin)
    /// A serial queue of operations that makes its callers wait while it is full.
    ///
    /// FoundationNetworking adds an operation for each 16 KiB that arrive, however slow the receiver is: of
    /// 47 MB from the same machine, up to 8 MB waited in memory (measured with Swift 6.3). With this queue the
    /// transfer waits, and through its connection the server.
    // Sendable: the only property is a semaphore, which never changes.
    final class BoundedQueue: OperationQueue, @unchecked Sendable {
        /// Sessions share the thread that waits here, so no receiver may stop it for longer.
        private static var longestWait: DispatchTimeInterval { .milliseconds(100) }

        private let places: DispatchSemaphore

        init(places count: Int) {
            // libdispatch ends a process that frees a semaphore below its first value, as with calls that never
            // ran.
            places = DispatchSemaphore(value: 0)
            for _ in 0..<count { places.signal() }
            super.init()
            maxConcurrentOperationCount = 1
        }

        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            let hasPlace = places.wait(timeout: .now() + Self.longestWait) == .success
            super.addOperation { [places] in
                block()
                if hasPlace { places.signal() }
            }
        }
    }
#endif

extension OperationQueue {
    /// The queue for the calls of a session; nil for the session's own, as on Apple's platforms.
    static func forTransfers() -> OperationQueue? {
        #if canImport(Darwin)
            nil
        #else
            BoundedQueue(places: 4)
        #endif
    }
}

extension URLSessionTask {
    /// Cancels the task from a call of its session.
    ///
    /// `cancel()` waits for the session, which may wait for a place in the queue of its calls. A thread of its
    /// own, because both may occupy all threads of the global queue, and more bytes arrive meanwhile.
    func cancelLater() { Thread.detachNewThread { self.cancel() } }
}
