import AttachmentContainer
import Foundation

/// Unanswered deliveries of a service extension.
public final class DeliveriesUnderWay: Sendable {
    private struct State {
        var deliveries: [UUID: RemoteDelivery] = [:]
        /// Deliveries that ended before they were registered.
        var ended: Set<UUID> = []
    }

    private let state = Lock(State())

    /// Creates an empty list.
    public init() {}

    /// Number of unanswered deliveries.
    public var count: Int { state.withLock { $0.deliveries.count } }

    /// Starts a delivery and keeps it until it has ended.
    ///
    /// - Parameter start: Starts the delivery, and calls its argument after the answer.
    public func begin(_ start: (_ ended: @escaping @Sendable () -> Void) -> RemoteDelivery) {
        let key = UUID()
        let delivery = start { self.end(key) }
        state.withLock { state in
            if state.ended.remove(key) == nil { state.deliveries[key] = delivery }
        }
    }

    /// Ends all deliveries at once with their best answers so far.
    public func timeWillExpire() {
        for delivery in state.withLock({ Array($0.deliveries.values) }) {
            delivery.timeWillExpire()
        }
    }

    private func end(_ key: UUID) {
        state.withLock { state in
            if state.deliveries.removeValue(forKey: key) == nil { state.ended.insert(key) }
        }
    }
}
