import AttachmentIntake
import Synchronization

/// What is answered when no renditions are made, prepared when it is asked for first.
///
/// Preparing takes time: it is asked for where files are touched.
final class StandIn: Sendable {
    private struct State {
        var failure: AttachmentError?
        var prepared: Draft?
    }

    private let state = Mutex(State())
    private let prepare: @Sendable (_ isDamaged: Bool) -> Draft

    /// Says how it is prepared.
    ///
    /// - Parameter prepare: Gets whether the attachment's picture was found to be damaged.
    init(_ prepare: @escaping @Sendable (_ isDamaged: Bool) -> Draft) {
        self.prepare = prepare
    }

    /// Notes why there are no renditions.
    ///
    /// What was prepared before damage was found does not count any more. Its file stays until the
    /// delivery holds something else, since it may be given at this moment.
    func explain(by failure: AttachmentError) {
        state.withLock { state in
            state.failure = failure
            if failure.isDamage { state.prepared = nil }
        }
    }

    /// The draft, with the reason why there are no renditions.
    var draft: Draft {
        state.withLock { state in
            let draft = state.prepared ?? prepare(state.failure?.isDamage ?? false)
            state.prepared = draft
            return draft.because(state.failure.map { [DeliveryReason($0)] } ?? [])
        }
    }
}
