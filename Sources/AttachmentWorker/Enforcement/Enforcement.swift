/// How the caller wants processes to be kept under the cap.
///
/// The raw values are those of `--enforce`.
public enum Enforcement: String, Sendable, Codable, CaseIterable {
    /// The strongest that this machine has: a control group, else `RLIMIT_DATA`, else the monitor.
    case auto
    /// A control group of version 2 or 1, or an error.
    case cgroup
    /// `RLIMIT_DATA`, which the worker sets itself when it is ready; or an error.
    case rlimit
    /// The supervisor looks every millisecond, and kills.
    case monitor
}

extension Enforcement {
    /// What keeps processes under the cap, as it was really got.
    ///
    /// The raw values appear in reports.
    public enum Mechanism: String, Sendable, Codable, CaseIterable {
        /// A control group of version 2: the kernel refuses, reclaims, then kills.
        case controlGroup2 = "cgroup v2"
        /// A control group of version 1: the same with other file names.
        case controlGroup1 = "cgroup v1"
        /// The kernel refuses private writable memory, so that an allocation fails.
        case dataLimit = "rlimit"
        /// The supervisor looks, and kills after the fact: a short peak may pass.
        case monitor
    }
}
