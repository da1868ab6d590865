import Foundation
import Synchronization

/// The deliveries of one service extension that have no answer yet.
public final class DeliveriesUnderWay: Sendable {
    private struct State {
        var deliveries: [UUID: RemoteDelivery] = [:]
        /// Those that had their answer before they were written down.
        var ended: Set<UUID> = []
    }

    private let state = Mutex(State())

    /// Makes an empty list.
    public init() {}

    /// How many there are.
    public var count: Int { state.withLock { $0.deliveries.count } }

    /// Begins a delivery, and forgets it once it has ended.
    ///
    /// - Parameter start: Starts it, and calls what it is given once it has its answer.
    public func begin(_ start: (_ ended: @escaping @Sendable () -> Void) -> RemoteDelivery) {
        let key = UUID()
        let delivery = start { self.end(key) }
        state.withLock { state in
            if state.ended.remove(key) == nil { state.deliveries[key] = delivery }
        }
    }

    /// Gives the best answer so far of all of them, at once.
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
