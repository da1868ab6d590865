public import Foundation

/// The turn to prune a container on schedule, which one of several services has at a time.
///
/// It is a lock on `thimble.pruning` in the container, which the system releases when the process ends.
/// The file has the time of the last pruning. Prunings by command need no turn: any number may run at
/// once.
public final class PruningTurn: Sendable {
    private let file: OwnedDescriptor
    private let path: String

    private init(_ file: OwnedDescriptor, path: String) {
        (self.file, self.path) = (file, path)
    }

    /// Takes the turn, until the result is released; nil while another process has it.
    ///
    /// - Throws: `ContainerError` if the lock's file cannot be created or locked.
    public static func take(
        in container: SharedContainer
    ) throws(ContainerError) -> PruningTurn? {
        let path = path(in: container)
        let isNew = try container.system.makeEmptyFile(at: path)
        let descriptor = Foundation.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw ContainerError("open", path, errno, denied: .notWritable)
        }
        let turn = PruningTurn(OwnedDescriptor(descriptor), path: path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK { return nil }
            throw ContainerError("flock", path, errno, denied: .notWritable)
        }
        // A first pruning that is interrupted does not count.
        if isNew { try turn.setTime([timespec(), timespec()]) }
        return turn
    }

    /// The time of the last pruning; nil before the first.
    public static func last(in container: SharedContainer) throws(ContainerError) -> Date? {
        let status = try container.system.status(of: path(in: container))
        return status.flatMap { $0.modified.timeIntervalSince1970 > 0 ? $0.modified : nil }
    }

    /// Records that a pruning has ended.
    public func finish() throws(ContainerError) { try setTime(nil) }

    private func setTime(_ times: [timespec]?) throws(ContainerError) {
        guard futimens(file.descriptor, times) == 0 else {
            throw ContainerError("futimens", path, errno, denied: .notWritable)
        }
    }

    private static func path(in container: SharedContainer) -> String {
        "\(container.root.path)/thimble.pruning"
    }
}
