import AttachmentContainer
import Foundation

/// The room of a container's file system.
struct ContainerRoom {
    /// The largest picture that the system accepts as an attachment (Apple,
    /// "UNNotificationAttachment": 10 MB for images); with less room a batch cannot go on.
    private static let minimum = 10_000_000

    let container: SharedContainer

    /// The reason that renditions cannot be stored; nil if they can.
    var fault: String? {
        var path = Array((container.root.path + "/.room-XXXXXX").utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { return String(cString: strerror(errno)) }
        unlink(path)
        defer { close(file) }
        #if os(Linux)
            let error = posix_fallocate(file, 0, Self.minimum)
            // File systems without the operation: their free space is unknown.
            guard error != 0, error != EOPNOTSUPP, error != EINVAL else { return nil }
            return String(cString: strerror(error))
        #else
            var status = statvfs()
            guard fstatvfs(file, &status) == 0 else { return nil }
            let free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
            return free < Self.minimum ? String(cString: strerror(ENOSPC)) : nil
        #endif
    }
}
