import AttachmentContainer
import AttachmentModel

extension MemoryLedger {
    final class Grant: Sendable {
        private let ledger: MemoryLedger
        private let beforeStills: Int
        private let state = Lock(State())

        private struct State {
            var enlarged = 0
            /// Bytes of the grant that no step uses any more.
            var released = 0
        }

        init(of ledger: MemoryLedger, beforeStills: ByteCount) {
            (self.ledger, self.beforeStills) = (ledger, beforeStills.bytes)
        }

        var added: ByteCount { ByteCount(state.withLock { $0.enlarged }) }

        /// Must be called before an animation is converted.
        func beginAnimation() { state.withLock { $0.released = 0 } }

        /// Leaves the bytes of a converted animation to the stills.
        func beginStills() { state.withLock { $0.released = beforeStills } }

        /// Extends the grant for a step that plans do not count because few attachments need it.
        ///
        /// Steps run one after the other, so bytes added for an earlier step count, and so do those
        /// of a finished animation. The result is false if the bytes are not free; the step must not
        /// run then. This never waits.
        func covers(_ bytes: ByteCount) -> Bool {
            state.withLock { state in
                let missing = bytes.bytes - state.enlarged - state.released
                guard missing > 0 else { return true }
                guard ledger.enlarge(by: missing) else { return false }
                state.enlarged += missing
                return true
            }
        }
    }
}
