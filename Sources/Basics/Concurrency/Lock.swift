#if canImport(os)
    internal import os
#else
    internal import Synchronization
#endif

/// A value that one thread at a time may use.
///
/// The lock is `os_unfair_lock` on Apple's platforms, where `Synchronization.Mutex` would require
/// iOS 18 of every app that links an extension's modules; elsewhere it is `Mutex`. It is not
/// recursive.
// Sendable: `value` is used only with the lock held, and enters and leaves as `sending`.
package final class Lock<Value: ~Copyable>: @unchecked Sendable {
    #if canImport(os)
        private let lock: os_unfair_lock_t
    #else
        private let lock = Mutex(())
    #endif
    nonisolated(unsafe) private var value: Value

    package init(_ value: consuming sending Value) {
        self.value = value
        #if canImport(os)
            // On the heap: the lock must keep its address.
            lock = .allocate(capacity: 1)
            lock.initialize(to: os_unfair_lock_s())
        #endif
    }

    #if canImport(os)
        deinit { lock.deallocate() }
    #endif

    /// Calls `body` with the lock held.
    ///
    /// - Parameter body: Reads or changes the value; it must not use the same lock.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        #if canImport(os)
            os_unfair_lock_lock(lock)
            defer { os_unfair_lock_unlock(lock) }
            return try body(&value)
        #else
            return try lock.withLock { _ throws(Failure) in try body(&value) }
        #endif
    }
}
