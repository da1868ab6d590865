import AttachmentContainer
import AttachmentModel

/// The answer without new renditions, prepared on first use.
///
/// Preparation accesses files, so it belongs on the file queue.
final class Fallback: Sendable {
    private struct State {
        var failure: AttachmentError?
        var prepared: Draft?
    }

    private let state = Lock(State())
    private let prepare: @Sendable (_ isDamaged: Bool) -> Draft

    init(_ prepare: @escaping @Sendable (_ isDamaged: Bool) -> Draft) {
        self.prepare = prepare
    }

    /// Records the reason for the missing renditions.
    ///
    /// Damage invalidates an earlier draft. Its file stays until the delivery replaces it, because it
    /// may be the answer at this moment.
    func record(_ failure: AttachmentError) {
        state.withLock { state in
            state.failure = failure
            if failure.isDamage { state.prepared = nil }
        }
    }

    var draft: Draft {
        state.withLock { state in
            let draft = state.prepared ?? prepare(state.failure?.isDamage ?? false)
            state.prepared = draft
            return draft.adding(reasons: state.failure.map { [DeliveryReason($0)] } ?? [])
        }
    }
}
