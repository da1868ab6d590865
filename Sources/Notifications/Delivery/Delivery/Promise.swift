import AttachmentContainer

/// A value that is set once, by the first of several producers.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value, Never>)
        case fulfilled(Value)
    }

    private let state = Lock(State.empty)

    /// Sets the value; returns false and drops it if a value exists.
    @discardableResult
    func fulfil(_ value: Value) -> Bool {
        let (isFirst, continuation) = state.withLock {
            state -> (Bool, CheckedContinuation<Value, Never>?) in
            switch state {
            case .fulfilled: return (false, nil)
            case .empty:
                state = .fulfilled(value)
                return (true, nil)
            case .awaited(let continuation):
                state = .fulfilled(value)
                return (true, continuation)
            }
        }
        continuation?.resume(returning: value)
        return isFirst
    }

    /// The value, once set; only one task may await it.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    if case .fulfilled(let value) = state { return value }
                    state = .awaited(continuation)
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}
