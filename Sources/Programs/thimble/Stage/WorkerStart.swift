import AttachmentContainer

/// Start of the first worker, during which the first payloads are already read and their pictures
/// recognised.
final class WorkerStart: Sendable {
    private let task: Task<Bool, Never>
    /// True after success, false after failure, nil before either.
    private let outcome: Lock<Bool?>

    /// Starts the worker; `complain` is called once if that fails.
    init(
        _ start: @escaping @Sendable () async throws -> Void,
        complain: @escaping @Sendable (any Error) -> Void
    ) {
        let outcome = Lock<Bool?>(nil)
        self.outcome = outcome
        task = Task {
            do {
                try await start()
                outcome.withLock { $0 = true }
                return true
            } catch {
                outcome.withLock { $0 = false }
                complain(error)
                return false
            }
        }
    }

    /// True from the moment that the start has failed.
    var hasFailed: Bool { outcome.withLock { $0 == false } }

    /// True from the moment that the start has succeeded.
    var hasSucceeded: Bool { outcome.withLock { $0 == true } }

    /// Waits for the start; false if it failed.
    var succeeded: Bool { get async { await task.value } }
}
