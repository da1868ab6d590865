import Synchronization

/// State of an orderly end: readiness, then the end of work in progress.
package final class Draining: Sendable {
    private let begun = Atomic(false)
    /// Work that is cancelled when its time is over.
    let work = CancellationList()

    package init() {}

    /// True once the process was told to end.
    var hasBegun: Bool { begun.load(ordering: .relaxed) }

    /// True once work in progress is cancelled.
    var isOver: Bool { work.isOver }

    func begin() { begun.store(true, ordering: .relaxed) }

    /// Runs work that is cancelled when the client goes away, or the time for draining is over.
    func cancelling<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let task = Task { try await operation() }
        let lists = [work, Connection.current?.work].compactMap(\.self)
        let numbers = lists.map { $0.add { task.cancel() } }
        defer { for (list, number) in zip(lists, numbers) { list.remove(number) } }
        let value = try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        // Some work answers when it is cancelled instead of throwing.
        if lists.contains(where: \.isOver) { throw CancellationError() }
        return value
    }
}
