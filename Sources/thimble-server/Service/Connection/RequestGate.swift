import NIOCore
import Synchronization

/// Limits the number of reading requests in progress, in all and of each peer.
///
/// A waiting request costs its connection's memory only, about 16 kB. One in progress costs as much
/// again for the stack of its task, and up to 48 kB of its answer. Peers take turns, so that many
/// requests of one do not delay another's.
final class RequestGate: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    private struct State {
        var free: Int
        /// Places in use by peer.
        var used: [Peer: Int] = [:]
        var waiters: [Peer: CircularBuffer<Waiter>] = [:]
        /// Peers with waiters, in the order of their turns.
        var turns = CircularBuffer<Peer>()
    }

    private let state: Mutex<State>
    private let maximumOfPeer: Int

    /// - Parameters:
    ///   - places: Requests in progress, at most.
    ///   - peerPlaces: Requests of one peer in progress, at most.
    init(_ places: Int, ofPeer peerPlaces: Int) {
        state = Mutex(State(free: places))
        maximumOfPeer = peerPlaces
    }

    /// A place, given back at the latest on deinitialisation.
    func enter(_ peer: Peer) async -> Place {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0, state.used[peer, default: 0] < maximumOfPeer else {
                    if state.waiters[peer] == nil { state.turns.append(peer) }
                    state.waiters[peer, default: []].append(continuation)
                    return false
                }
                state.free -= 1
                state.used[peer, default: 0] += 1
                return true
            }
            if isFree { continuation.resume() }
        }
        return Place(self, peer)
    }

    final class Place: Sendable {
        private let gate: RequestGate
        private let peer: Peer
        private let isHeld = Atomic(true)

        fileprivate init(_ gate: RequestGate, _ peer: Peer) {
            self.gate = gate
            self.peer = peer
        }

        deinit { leave() }

        func leave() {
            if isHeld.exchange(false, ordering: .relaxed) { gate.leave(peer) }
        }
    }

    private func leave(_ peer: Peer) {
        let next: Waiter? = state.withLock { state in
            let used = state.used[peer, default: 1] - 1
            state.used[peer] = used > 0 ? used : nil
            state.free += 1
            return takeNext(from: &state)
        }
        next?.resume()
    }

    /// The waiter whose turn it is, with its place counted; nil if none may begin.
    private func takeNext(from state: inout State) -> Waiter? {
        for _ in 0..<state.turns.count {
            let peer = state.turns.removeFirst()
            guard state.used[peer, default: 0] < maximumOfPeer,
                let waiter = state.waiters[peer]?.popFirst()
            else {
                state.turns.append(peer)
                continue
            }
            if state.waiters[peer]?.isEmpty == false {
                state.turns.append(peer)
            } else {
                state.waiters[peer] = nil
            }
            state.free -= 1
            state.used[peer, default: 0] += 1
            return waiter
        }
        return nil
    }
}
