import AttachmentContainer
import Foundation
import Synchronization

/// Kills the process before a given system call.
final class KillingInterposer: SystemCallInterposer {
    private let last: Int
    private let made = Mutex(0)

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

/// Skips synchronisation with the volume, for filling a container fast.
struct UnsyncedInterposer: SystemCallInterposer {
    func perform(
        _ call: SystemCall, _ body: (_ limit: Int) -> SystemCall.Outcome
    ) -> SystemCall.Outcome {
        call.name == .fsync ? SystemCall.Outcome(0) : body(.max)
    }
}
