import AttachmentContainer
import Foundation
import Synchronization

/// Kills the process before one of its system calls.
final class DyingInterposer: SystemCallInterposer {
    private let last: Int
    private let made = Mutex(0)

    /// - Parameter last: The number of the call that is never made, from 1.
    init(before last: Int) { self.last = last }

    func perform(
        _ call: SystemCall, _ body: (_ limit: Int) -> SystemCall.Outcome
    ) -> SystemCall.Outcome {
        let number = made.withLock { made in
            made += 1
            return made
        }
        if number == last { kill(getpid(), SIGKILL) }
        return body(.max)
    }
}

/// Makes every call but those that wait for the volume: for filling a container in little time.
struct HastyInterposer: SystemCallInterposer {
    func perform(
        _ call: SystemCall, _ body: (_ limit: Int) -> SystemCall.Outcome
    ) -> SystemCall.Outcome {
        call.name == .fsync ? SystemCall.Outcome(0) : body(.max)
    }
}
