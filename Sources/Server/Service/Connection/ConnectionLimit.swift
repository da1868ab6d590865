import HummingbirdCore
import Synchronization

/// Number of open connections, and their limits.
///
/// Requests on connections over the limit are answered with 429. A quarter more connections are
/// accepted for that; further ones wait in the kernel's queue and cost no memory here.
final class ConnectionLimit: Sendable {
    private let maximum: Int
    private let open = Atomic(0)
    private let refused = Atomic(0)

    init(_ maximum: Int) { self.maximum = maximum }

    var count: Int { open.load(ordering: .relaxed) }

    var refusedCount: Int { refused.load(ordering: .relaxed) }

    /// Number of connections that are accepted at all.
    var accepted: Int { Self.accepted(for: maximum) }

    static func accepted(for maximum: Int) -> Int { maximum + max(16, maximum / 4) }

    /// Counts a connection; false if it is over the limit.
    func opened() -> Bool {
        let isWithin = open.add(1, ordering: .relaxed).newValue <= maximum
        if !isWithin { refused.add(1, ordering: .relaxed) }
        return isWithin
    }

    func closed() { open.subtract(1, ordering: .relaxed) }

    var delegate: MaximumAvailableConnections { MaximumAvailableConnections(accepted) }
}
