import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A descriptor that is closed when its owner lets go of it, and the path that errors name.
struct OpenFile: ~Copyable, Sendable {
    let descriptor: Int32
    let path: String

    deinit {
        // Not made again after a signal: on Linux the descriptor is gone either way.
        close(descriptor)
    }
}

extension ContainerError {
    /// A failed system call.
    ///
    /// - Parameters:
    ///   - call: The call's name.
    ///   - path: What it was made on.
    ///   - number: The error number that it left.
    ///   - denied: What it means when the system refused for want of permission.
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
            case .unreadable: "the system does not let it be read"
            case .notWritable: "the system does not let it be written"
            case .full: "there is no space left for it"
            case .notAFolder: "a part of the path is not a folder"
            default: "the system failed on it"
            }
        self.init(code, path: path, reason: reason, detail: detail)
    }
}
