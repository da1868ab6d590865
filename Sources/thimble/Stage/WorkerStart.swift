import Synchronization

/// Start of the first worker, during which the first payloads are already read and their pictures
/// recognised.
final class WorkerStart: Sendable {
    private let task: Task<Bool, Never>
    private let outcome: Outcome

    private final class Outcome: Sendable {
        let isFailure = Atomic(false)
        let isSuccess = Atomic(false)
    }

    /// Starts the worker; `complain` is called once if that fails.
    init(
        _ start: @escaping @Sendable () async throws -> Void,
        complain: @escaping @Sendable (any Error) -> Void
    ) {
        let outcome = Outcome()
        self.outcome = outcome
        task = Task {
            do {
                try await start()
                outcome.isSuccess.store(true, ordering: .relaxed)
                return true
            } catch {
                outcome.isFailure.store(true, ordering: .relaxed)
                complain(error)
                return false
            }
        }
    }

    /// True from the moment that the start has failed.
    var hasFailed: Bool { outcome.isFailure.load(ordering: .relaxed) }

    /// True from the moment that the start has succeeded.
    var hasSucceeded: Bool { outcome.isSuccess.load(ordering: .relaxed) }

    /// Waits for the start; false if it failed.
    var succeeded: Bool { get async { await task.value } }
}
