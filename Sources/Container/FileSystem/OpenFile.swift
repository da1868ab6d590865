import Foundation

/// An owned descriptor, closed on deinitialisation, with its path for error messages.
struct OpenFile: ~Copyable, Sendable {
    let descriptor: Int32
    let path: String

    deinit {
        // Not repeated after a signal: on Linux the descriptor is closed either way.
        close(descriptor)
    }
}

extension ContainerError {
    /// Creates the error of a failed system call; `denied` is the code for missing permissions.
    init(_ call: String, _ path: String, _ number: Int32, denied: Code) {
        let text = String(cString: strerror(number))
        // The kind's own remedy where the third value is nil.
        let (code, reason, remedy): (Code, String, String?) =
            switch number {
            case EACCES where denied == .unreadable, EPERM where denied == .unreadable,
                EROFS where denied == .unreadable:
                (denied, "the system denies read access", nil)
            case EACCES, EPERM, EROFS: (denied, "the system denies write access", nil)
            case ENOSPC, EDQUOT: (.full, "there is no space left for it", nil)
            case ENOTDIR: (.notAFolder, "a part of the path is not a folder", nil)
            case ENOENT where call == SystemCall.Name.mkdir.rawValue:
                (.notWritable, "no folder can be made here", "choose a folder on a disk")
            case ENOENT:
                (
                    .system, "it was removed meanwhile",
                    "keep other programs from removing files of the container"
                )
            case ENAMETOOLONG: (.system, "the path is too long", "choose a shorter path")
            case ELOOP: (.system, "symbolic links lead in a circle", "correct the links")
            case EMFILE, ENFILE:
                (
                    .system, "no more files can be opened",
                    "raise the limit on open files (ulimit -n)"
                )
            case EINVAL, ENOSYS, ENOTSUP, EXDEV:
                (
                    .system, "the file system does not support the call \(call)",
                    "choose a folder on another volume"
                )
            default: (.system, "the system call \(call) failed: \(text)", nil)
            }
        self.init(code, path: path, reason: reason, remedy: remedy, detail: "\(call): \(text)")
    }
}
