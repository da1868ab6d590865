internal import Dispatch

/// Work that blocks on files or computes for long, which must not run on the cooperative pool.
package enum BlockingWork {
    private static let queue = DispatchQueue(label: "thimble.blocking", attributes: .concurrent)

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
