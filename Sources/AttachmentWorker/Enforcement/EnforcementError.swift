/// Why an enforcement of the cap that was asked for cannot be had, or stopped working.
public struct EnforcementError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was asked for.
    public let enforcement: Enforcement
    /// What stands in its way, in a sentence without its full stop.
    public let reason: String

    /// Reason and remedy, in one line for a person.
    public var description: String {
        "--enforce \(enforcement.rawValue) cannot be had: \(reason); \(remedy)"
    }

    /// What the caller can do about it, in a sentence without its full stop.
    public var remedy: String {
        switch enforcement {
        case .cgroup:
            "delegate the memory controller (systemd-run --user --scope -p Delegate=yes thimble …), "
                + "or use --enforce auto"
        case .auto, .rlimit, .monitor: "use --enforce auto"
        }
    }

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - enforcement: What was asked for.
    ///   - reason: What stands in its way, in a sentence without its full stop.
    init(_ enforcement: Enforcement, _ reason: String) {
        self.enforcement = enforcement
        self.reason = reason
    }
}
