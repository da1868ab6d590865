import AttachmentContainer
import Foundation
import Synchronization

/// Answers system calls in the system's place, and tells which were made.
final class CallInterposer: SystemCallInterposer {
    /// What is to be answered.
    enum Answer: Sendable {
        /// The system's own.
        case system
        /// The system's own, with no more than so many bytes read or written.
        case short(Int)
        /// A failure, without making the call.
        case failure(Int32)
    }

    private let answer: @Sendable (_ call: SystemCall, _ number: Int) -> Answer
    private let made = Mutex<[SystemCall]>([])

    /// - Parameter answer: What to answer to a call; their numbers begin at 1.
    init(_ answer: @escaping @Sendable (_ call: SystemCall, _ number: Int) -> Answer) {
        self.answer = answer
    }

    /// The calls so far, in order.
    var calls: [SystemCall] { made.withLock { $0 } }

    func perform(
        _ call: SystemCall, _ body: (_ limit: Int) -> SystemCall.Outcome
    ) -> SystemCall.Outcome {
        let number = made.withLock { calls in
            calls.append(call)
            return calls.count
        }
        switch answer(call, number) {
        case .failure(let number): return SystemCall.Outcome(-1, failure: number)
        case .short(let limit): return body(limit)
        case .system:
            // A test kills no power: waiting for the volume would take most of its time.
            return call.name == .fsync ? SystemCall.Outcome(0) : body(.max)
        }
    }
}

/// Does something once, at the moment before a call that a test waits for.
final class Moment: Sendable {
    private let action: @Sendable () throws -> Void
    private let state = Mutex<Bool>(false)

    init(_ action: @escaping @Sendable () throws -> Void) { self.action = action }

    /// Whether it came.
    var came: Bool { state.withLock { $0 } }

    func come() {
        let isFirst = state.withLock { came in
            defer { came = true }
            return !came
        }
        if isFirst {
            do { try action() } catch { preconditionFailure("the test's own action: \(error)") }
        }
    }
}
