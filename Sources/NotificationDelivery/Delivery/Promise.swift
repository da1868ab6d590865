import Synchronization

/// A value that is there once, whoever brings it first.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value, Never>)
        case kept(Value)
    }

    private let state = Mutex(State.empty)

    /// Brings the value.
    ///
    /// - Parameter value: The value.
    /// - Returns: False when there is one already; then this one is dropped.
    @discardableResult
    func keep(_ value: Value) -> Bool {
        let (isFirst, continuation) = state.withLock {
            state -> (Bool, CheckedContinuation<Value, Never>?) in
            switch state {
            case .kept: return (false, nil)
            case .empty:
                state = .kept(value)
                return (true, nil)
            case .awaited(let continuation):
                state = .kept(value)
                return (true, continuation)
            }
        }
        continuation?.resume(returning: value)
        return isFirst
    }

    /// The value, once it is there; to be awaited by one task.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    if case .kept(let value) = state { return value }
                    state = .awaited(continuation)
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}
