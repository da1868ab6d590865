internal import Dispatch

/// Work that blocks on files or computes for long, which must not run on the cooperative pool.
public enum BlockingWork {
    private static let queue = DispatchQueue(label: "thimble.blocking", attributes: .concurrent)

    /// Runs work on a thread of its own, and suspends the caller until its end.
    ///
    /// Cancellation of the task does not end the work.
    ///
    /// - Parameter work: Called once.
    /// - Returns: The value of the work.
    /// - Throws: The error of the work.
    public static func run<Value: Sendable, Failure: Error>(
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
