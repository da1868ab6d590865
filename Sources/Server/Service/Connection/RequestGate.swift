import AttachmentContainer
import Synchronization

/// Limits the number of reading requests in progress, in all and of each peer.
///
/// A waiting request costs its connection's memory only, about 16 kB. One in progress costs as much
/// again for the stack of its task, and up to 48 kB of its answer. Peers take turns, so that many
/// requests of one do not delay another's.
final class RequestGate: Sendable {
    private let line: WaitingLine<PeerPlaces>

    /// - Parameters:
    ///   - places: Requests in progress, at most.
    ///   - peerPlaces: Requests of one peer in progress, at most.
    init(_ places: Int, ofPeer peerPlaces: Int) {
        line = WaitingLine(PeerPlaces(free: places, maximumOfPeer: peerPlaces))
    }

    /// A place, given back at the latest on deinitialisation; throws when the task is cancelled.
    func enter(_ peer: Peer) async throws(WaitingFailure<Never>) -> Place {
        try await line.take(peer)
        return Place(line, peer)
    }

    final class Place: Sendable {
        private let line: WaitingLine<PeerPlaces>
        private let peer: Peer
        private let isHeld = Atomic(true)

        fileprivate init(_ line: WaitingLine<PeerPlaces>, _ peer: Peer) {
            self.line = line
            self.peer = peer
        }

        deinit { leave() }

        func leave() {
            guard isHeld.exchange(false, ordering: .relaxed) else { return }
            line.update { $0.giveBack(peer) }
        }
    }
}

/// Places of which each peer gets a share.
private struct PeerPlaces: WaitingResource {
    var free: Int
    let maximumOfPeer: Int
    /// Places in use by peer.
    private var used: [Peer: Int] = [:]

    init(free: Int, maximumOfPeer: Int) {
        self.free = free
        self.maximumOfPeer = maximumOfPeer
    }

    func lane(of peer: Peer) -> Peer { peer }

    mutating func answer(_ peer: Peer) -> WaitingAnswer<Void, Never> {
        guard free > 0 else { return .allWait }
        guard used[peer, default: 0] < maximumOfPeer else { return .laneWaits }
        free -= 1
        used[peer, default: 0] += 1
        return .granted(())
    }

    mutating func giveBack(_ peer: Peer) {
        let rest = used[peer, default: 1] - 1
        used[peer] = rest > 0 ? rest : nil
        free += 1
    }
}
