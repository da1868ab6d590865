import NIOCore
import Synchronization

/// Connections whose clients do not read their answers as fast as they are made.
///
/// Each holds about 64 kB until it reads on or its timeout ends it. Beyond the maximum, the longest
/// stalled one of the peer with the most ends.
final class StalledAnswers: Sendable {
    private struct State {
        /// Connections by peer, the longest stalled first.
        var connections: [Peer: [ObjectIdentifier]] = [:]
        var channels: [ObjectIdentifier: any Channel] = [:]

        mutating func remove(_ key: ObjectIdentifier, of peer: Peer) -> (any Channel)? {
            guard let channel = channels.removeValue(forKey: key) else { return nil }
            connections[peer]?.removeAll { $0 == key }
            if connections[peer]?.isEmpty == true { connections[peer] = nil }
            return channel
        }
    }

    private let maximum: Int
    private let state = Mutex(State())

    init(_ maximum: Int) { self.maximum = maximum }

    func add(_ channel: any Channel, of peer: Peer) {
        let excess: (any Channel)? = state.withLock { state -> (any Channel)? in
            let key = ObjectIdentifier(channel)
            guard state.channels.updateValue(channel, forKey: key) == nil else { return nil }
            state.connections[peer, default: []].append(key)
            guard state.channels.count > maximum,
                let most = state.connections.max(by: { $0.value.count < $1.value.count })
            else { return nil }
            return state.remove(most.value[0], of: most.key)
        }
        excess?.close(promise: nil)
    }

    func remove(_ channel: any Channel, of peer: Peer) {
        state.withLock { _ = $0.remove(ObjectIdentifier(channel), of: peer) }
    }
}
