import AttachmentContainer
import Foundation

/// Kills the process before a given system call.
final class KillingInterposer: SystemCallInterposer {
    private let last: Int
    private let made = Lock(0)

    init(before last: Int) { self.last = last }

    func perform(
        _ call: SystemCall, _ body: (_ limit: Int) -> SystemCall.ReturnValue
    ) -> SystemCall.ReturnValue {
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
        _ call: SystemCall, _ body: (_ limit: Int) -> SystemCall.ReturnValue
    ) -> SystemCall.ReturnValue {
        call.name == .fsync ? SystemCall.ReturnValue(0) : body(.max)
    }
}
