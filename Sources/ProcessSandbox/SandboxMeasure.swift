/// One thing that a sandbox takes away from its process.
///
/// The raw values appear in reports.
public enum SandboxMeasure: String, Sendable, Codable, CaseIterable {
    /// No program that it starts would have more rights than itself (`PR_SET_NO_NEW_PRIVS`).
    case noNewPrivileges = "no-new-privs"
    /// Descriptors that it was not meant to have are closed.
    case descriptors
    /// Ceilings on core dumps, processor time, the length of files and open files (setrlimit(2)).
    case limits = "rlimits"
    /// Its memory, with a stranger's picture in it, goes into no core dump and is not open to other
    /// processes of the same user (`PR_SET_DUMPABLE`).
    case memory = "dumpable"
    /// It opens, makes, moves and removes no file by its path (landlock(7)).
    case paths = "landlock"
    /// It has none of the rights that make root special (capabilities(7)).
    case capabilities
    /// It makes no system call but those that decoding takes (seccomp(2)).
    case calls = "seccomp"
}
