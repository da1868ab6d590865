import Synchronization

/// Limit on the number of requests of one kind at once.
final class Quota: Sendable {
    private let maximum: Int
    private let used = Atomic(0)

    init(_ maximum: Int) { self.maximum = maximum }

    var count: Int { used.load(ordering: .relaxed) }

    /// The problem if there is no place; nil otherwise.
    var overload: Problem? { count < maximum ? nil : .overloaded(retryAfter: 1) }

    /// Takes a place, which the result gives back on deinitialisation.
    func take() throws(Problem) -> Place {
        guard used.add(1, ordering: .relaxed).newValue <= maximum else {
            used.subtract(1, ordering: .relaxed)
            throw .overloaded(retryAfter: 1)
        }
        return Place(self)
    }

    final class Place: Sendable {
        private let quota: Quota

        fileprivate init(_ quota: Quota) { self.quota = quota }

        deinit { quota.used.subtract(1, ordering: .relaxed) }
    }
}
