import Synchronization

/// Start of the first worker, during which the first payloads are already read and their pictures
/// recognised.
final class WorkerStart: Sendable {
    private let task: Task<Bool, Never>
    private let failure: Failure

    private final class Failure: Sendable {
        let isKnown = Atomic(false)
    }

    /// Starts the worker; `complain` is called once if that fails.
    init(
        _ start: @escaping @Sendable () async throws -> Void,
        complain: @escaping @Sendable (any Error) -> Void
    ) {
        let failure = Failure()
        self.failure = failure
        task = Task {
            do {
                try await start()
                return true
            } catch {
                failure.isKnown.store(true, ordering: .relaxed)
                complain(error)
                return false
            }
        }
    }

    /// True from the moment that the start has failed.
    var hasFailed: Bool { failure.isKnown.load(ordering: .relaxed) }

    /// Waits for the start; false if it failed.
    var succeeded: Bool { get async { await task.value } }
}
