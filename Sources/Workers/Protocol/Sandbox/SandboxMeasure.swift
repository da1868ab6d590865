/// Measures of a sandbox, in the order in which they are taken; the raw values appear in reports.
public enum SandboxMeasure: String, Sendable, Codable, CaseIterable {
    /// Prevents privilege gain through execve (`PR_SET_NO_NEW_PRIVS`).
    case noNewPrivileges = "no-new-privs"
    case descriptors
    /// Limits core dumps, processor time, file length and open files (setrlimit(2)).
    case limits = "rlimits"
    /// Protects the process's memory from core dumps and other processes (`PR_SET_DUMPABLE`).
    case memory = "dumpable"
    /// Forbids opening, creating, moving and removing files by path (landlock(7)).
    case paths = "landlock"
    /// Gives up root's capabilities (capabilities(7)).
    case capabilities
    /// Allows only the system calls that decoding needs (seccomp(2)).
    case calls = "seccomp"
}
