import AttachmentContainer

/// Objects that were lately there, and the last failure of the store.
final class PublicationMemory: Sendable {
    struct Known: Sendable {
        /// Time of the last proof that the object is there.
        var verified: ContinuousClock.Instant
        /// Time of the last renewal of the record.
        var renewed: ContinuousClock.Instant
        /// Time of the last renewal that survives a power failure.
        var durable: ContinuousClock.Instant
    }

    /// Number of objects that are remembered at least.
    private static let capacity = 16_384

    private struct State {
        var recent: [String: Known] = [:]
        /// Objects not published since `recent` was last full.
        var former: [String: Known] = [:]
        var failure: (error: StoreError, end: ContinuousClock.Instant)?
    }

    private let state = Lock(State())

    func known(_ file: String) -> Known? {
        state.withLock { $0.recent[file] ?? $0.former[file] }
    }

    func remember(_ file: String, _ known: Known) {
        state.withLock { state in
            state.former[file] = nil
            if state.recent.count >= Self.capacity, state.recent[file] == nil {
                state.former = state.recent
                state.recent = [:]
            }
            state.recent[file] = known
        }
    }

    func forget(_ file: String) {
        state.withLock { state in
            state.recent[file] = nil
            state.former[file] = nil
        }
    }

    /// The failure of the store a moment ago; nil without one.
    var failure: StoreError? {
        state.withLock { state in
            guard let failure = state.failure else { return nil }
            if failure.end > .now { return failure.error }
            state.failure = nil
            return nil
        }
    }

    func add(_ failure: StoreError, for lifetime: Duration) {
        state.withLock { $0.failure = (failure, .now + lifetime) }
    }

    func forgetFailure() { state.withLock { $0.failure = nil } }
}
