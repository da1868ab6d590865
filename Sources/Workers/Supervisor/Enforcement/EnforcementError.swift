public import AttachmentContainer

/// Reasons for a mechanism that is unavailable or stopped working.
public struct EnforcementError: FaultConvertible, Sendable, Hashable {
    /// The requested mechanism.
    public let enforcement: Enforcement
    /// The cause, without a full stop.
    public let reason: String

    /// Reason and remedy on one line, for people.
    public var description: String {
        "the enforcement \(enforcement.rawValue) is unavailable: \(reason); \(remedy)"
    }

    /// The remedy, without a full stop.
    public var remedy: String {
        switch enforcement {
        case .cgroup:
            "delegate the memory controller (systemd-run --user --scope -p Delegate=yes thimble …), "
                + "or choose auto"
        case .auto, .rlimit, .monitor: "choose auto"
        }
    }

    /// The failure, with the code `no-enforcement`.
    public var fault: Fault {
        Fault(
            .workers, "no-enforcement",
            reason: "the enforcement \(enforcement.rawValue) is unavailable: \(reason)",
            remedy: remedy, options: ["enforce"])
    }

    init(_ enforcement: Enforcement, _ reason: String) {
        self.enforcement = enforcement
        self.reason = reason
    }
}
