internal import Dispatch

/// Work that waits for files or computes for long, which threads of tasks must not do.
package enum BlockingWork {
    private static let queue = DispatchQueue(label: "thimble.blocking", attributes: .concurrent)

    /// Runs work on a thread that no task needs.
    ///
    /// - Parameter work: The work.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(Failure) in try work() })
            }
        }
        return try result.get()
    }
}
