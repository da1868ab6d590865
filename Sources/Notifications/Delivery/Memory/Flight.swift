import AttachmentContainer

/// The processing of a picture that several deliveries wait for.
final class Flight: Sendable {
    /// The picture as its requests found it.
    struct Key: Hashable {
        let picture: PictureMemory.Key
        let identity: PictureIdentity
    }

    let key: Key
    private enum State {
        case inProgress([@Sendable (Draft) -> Void])
        case ended(Draft)
    }

    private let state = Lock(State.inProgress([]))

    init(of key: Key) { self.key = key }

    /// Passes the result on once it exists, on the thread that ends the flight, or at once.
    func whenEnded(_ receive: @escaping @Sendable (Draft) -> Void) {
        let result = state.withLock { state -> Draft? in
            switch state {
            case .ended(let draft): return draft
            case .inProgress(let receivers):
                state = .inProgress(receivers + [receive])
                return nil
            }
        }
        if let result { receive(result) }
    }

    func end(_ draft: Draft) {
        let receivers = state.withLock { state -> [@Sendable (Draft) -> Void] in
            guard case .inProgress(let receivers) = state else { return [] }
            state = .ended(draft)
            return receivers
        }
        for receive in receivers { receive(draft) }
    }
}
