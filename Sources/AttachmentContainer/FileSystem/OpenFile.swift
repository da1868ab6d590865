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
        let detail = "\(call): \(String(cString: strerror(number)))"
        let code: Code =
            switch number {
            case EACCES, EPERM, EROFS: denied
            case ENOSPC, EDQUOT: .full
            case ENOTDIR: .notAFolder
            default: .system
            }
        let reason =
            switch code {
            case .unreadable: "the system denies read access"
            case .notWritable: "the system denies write access"
            case .full: "there is no space left for it"
            case .notAFolder: "a part of the path is not a folder"
            default: "the system call failed"
            }
        self.init(code, path: path, reason: reason, detail: detail)
    }
}
