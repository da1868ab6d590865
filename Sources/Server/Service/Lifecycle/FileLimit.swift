import Foundation

/// The limit on open files, which bounds the connections.
enum FileLimit {
    /// Files besides connections: workers, uploads, renditions and libraries.
    private static let reserve = 512

    /// Raises the soft limit to the hard one, and returns the number of connections that it allows.
    static func raise() -> Int {
        var limit = rlimit()
        #if os(Linux)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        guard getrlimit(files, &limit) == 0 else { return 256 }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(files, &limit)
        guard getrlimit(files, &limit) == 0 else { return 256 }
        return max(64, Int(min(limit.rlim_cur, 1 << 30)) - reserve)
    }
}
