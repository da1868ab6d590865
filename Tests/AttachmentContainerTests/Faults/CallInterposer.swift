import AttachmentContainer
import Foundation

/// Fakes or limits system calls, and records them.
final class CallInterposer: SystemCallInterposer {
    enum Answer: Sendable {
        /// Makes the call.
        case system
        /// Makes the call, with a limit on the bytes read or written.
        case short(Int)
        /// Fails with an error number, without making the call.
        case failure(Int32)
    }

    private let answer: @Sendable (_ call: SystemCall, _ number: Int) -> Answer
    private let made = Lock<[SystemCall]>([])

    /// Creates an interposer; `answer` receives each call and its number, from 1.
    init(_ answer: @escaping @Sendable (_ call: SystemCall, _ number: Int) -> Answer) {
        self.answer = answer
    }

    /// The calls so far, in order.
    var calls: [SystemCall] { made.withLock { $0 } }

    func perform(
        _ call: SystemCall, _ body: (_ limit: Int) -> SystemCall.ReturnValue
    ) -> SystemCall.ReturnValue {
        let number = made.withLock { calls in
            calls.append(call)
            return calls.count
        }
        switch answer(call, number) {
        case .failure(let number): return SystemCall.ReturnValue(-1, failure: number)
        case .short(let limit): return body(limit)
        case .system:
            // No test cuts the power, and fsync would take most of the time.
            return call.name == .fsync ? SystemCall.ReturnValue(0) : body(.max)
        }
    }
}

/// Runs an action once, when a test first calls `run()`.
final class OneTimeAction: Sendable {
    private let action: @Sendable () throws -> Void
    private let state = Lock<Bool>(false)

    init(_ action: @escaping @Sendable () throws -> Void) { self.action = action }

    var didRun: Bool { state.withLock { $0 } }

    func run() {
        let isFirst = state.withLock { didRun in
            defer { didRun = true }
            return !didRun
        }
        if isFirst {
            do { try action() } catch { preconditionFailure("the test's action failed: \(error)") }
        }
    }
}
