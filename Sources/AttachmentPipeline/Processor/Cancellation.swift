import Synchronization

/// A request to stop, raised from any thread and looked at by the one that computes.
final class Cancellation: Sendable {
    private let raised = Atomic(false)

    /// Whether somebody asked to stop.
    var isRequested: Bool { raised.load(ordering: .relaxed) }

    /// Asks to stop; the computation ends with an error within a few rows.
    func request() { raised.store(true, ordering: .relaxed) }
}
