import Synchronization

/// What is answered when no renditions are made, prepared once.
final class StandIn: Sendable {
    private let prepared = Mutex<Draft?>(nil)
    private let prepare: @Sendable () -> Draft

    /// Says how it is prepared.
    ///
    /// - Parameter prepare: Called at most once.
    init(_ prepare: @escaping @Sendable () -> Draft) {
        self.prepare = prepare
    }

    /// The draft, prepared when it is asked for first.
    var draft: Draft {
        prepared.withLock { prepared in
            let draft = prepared ?? prepare()
            prepared = draft
            return draft
        }
    }
}
