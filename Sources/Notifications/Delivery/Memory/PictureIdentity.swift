import Foundation

/// The identity of an attachment's bytes, known without reading them.
///
/// Equal identities mean equal bytes.
public struct PictureIdentity: Sendable, Hashable {
    private enum Form: Hashable {
        case file(
            device: UInt64, number: UInt64, bytes: Int, modified: Nanoseconds, changed: Nanoseconds)
        case remote(location: String, validators: [String])
    }

    /// Nanoseconds since 1970.
    private typealias Nanoseconds = Int

    private let form: Form

    /// The identity of a file of another machine.
    ///
    /// - Parameters:
    ///   - location: The file's URL.
    ///   - validators: The values by which its server tells versions apart, such as the `ETag`.
    public init(location: String, validators: [String]) {
        form = .remote(location: location, validators: validators)
    }

    /// The identity of a local file: device, inode, size, and the times of the last change of the
    /// contents and of the inode.
    init(_ status: stat) {
        #if canImport(Darwin)
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        form = .file(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino),
            bytes: Int(status.st_size), modified: Self.nanoseconds(modified),
            changed: Self.nanoseconds(changed))
    }

    /// The identity of the file at a path; nil if it is missing or its status is unavailable.
    init?(ofFileAt path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// False while another change of the file could leave all its times as they are.
    ///
    /// The times have the resolution of the kernel's clock tick, 10 ms at most.
    var isSettled: Bool {
        guard case .file(_, _, _, _, let changed) = form else { return true }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Self.nanoseconds(now) - changed > 100_000_000
    }

    private static func nanoseconds(_ time: timespec) -> Nanoseconds {
        Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
    }
}

extension PictureIdentity: CustomStringConvertible {
    /// The kind of file, without its private location.
    public var description: String {
        switch form {
        case .file: "identity of a local file"
        case .remote: "identity of a remote file"
        }
    }
}
