/// The requested mechanism for keeping processes under the cap, with the raw values of `--enforce`.
public enum Enforcement: String, Sendable, Codable, CaseIterable {
    /// The strongest available: a control group, else `RLIMIT_DATA`, else the monitor.
    case auto
    /// A control group of version 2 or 1, or an error.
    case cgroup
    /// `RLIMIT_DATA`, which the worker sets itself once it is ready; or an error.
    case rlimit
    /// The supervisor measures every millisecond and kills.
    case monitor
}

extension Enforcement {
    /// The mechanism in force, whose raw values appear in reports.
    public enum Mechanism: String, Sendable, Codable, CaseIterable {
        /// Control group, version 2: the kernel reclaims memory, then kills.
        case controlGroup2 = "cgroup v2"
        case controlGroup1 = "cgroup v1"
        /// `RLIMIT_DATA`: the kernel denies private writable memory, and allocations fail.
        case dataLimit = "rlimit"
        /// The supervisor measures and kills; short peaks may go unnoticed.
        case monitor
    }
}
