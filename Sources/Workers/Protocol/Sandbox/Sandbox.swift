internal import CSystemCalls
internal import Foundation

/// Sandbox of a process that is about to read untrusted files.
///
/// It assumes that every decoder is exploitable. Code that takes the process over cannot open a
/// path, create a socket, or reach another program or process. It has no capability and only the
/// system calls that decoding needs. The sandbox does *not* isolate attachments in the same process
/// from each other. It hides neither the existence nor the length of files, because the kernel has
/// no rule for that (`SECURITY.md`).
///
/// The sandbox requires Linux. On Apple platforms the system sandboxes extensions and apps; there,
/// every measure is reported as unavailable.
public enum Sandbox {
    /// Gives up, for good, all rights that the policy does not keep; returns the outcome of each
    /// measure.
    ///
    /// Call it after loading every library and before starting any other thread. Path rules belong
    /// to one thread, and only new threads inherit them. If a required measure fails, those already
    /// in force stay in force.
    public static func enter(_ policy: SandboxPolicy) throws(SandboxError) -> SandboxReport {
        var report = SandboxReport(mode: policy.mode)
        guard policy.mode != .off else { return report }
        for measure in SandboxMeasure.allCases {
            let (outcome, detail) = apply(measure, of: policy)
            report.entries.append(.init(measure: measure, outcome: outcome, detail: detail))
        }
        guard policy.mode != .require || report.isComplete else {
            throw SandboxError(report: report)
        }
        return report
    }

    typealias Finding = (outcome: SandboxReport.Status, detail: String)

    /// True if the kernel supports path restrictions, the measure most often missing.
    package static var isAvailable: Bool {
        #if os(Linux)
            thimble_landlock_version() >= oldestLandlock
        #else
            false
        #endif
    }

    #if os(Linux)
        // The order of declaration matters: the last measure forbids calls that the others need.
        private static func apply(_ measure: SandboxMeasure, of policy: SandboxPolicy) -> Finding {
            switch measure {
            case .noNewPrivileges: finding("prctl", thimble_drop_new_privileges())
            case .descriptors: closeDescriptors(besides: policy.descriptors)
            case .limits: policy.limits.enforce()
            // A core dump limit of zero has no effect when a program receives core dumps (core(5)).
            case .memory: finding("prctl", thimble_hide_memory())
            case .paths: restrictPaths(policy)
            case .capabilities: finding("capset", thimble_drop_capabilities())
            case .calls: filterCalls(policy)
            }
        }

        private static func finding(_ call: String, _ result: some BinaryInteger) -> Finding {
            result == 0 ? (.applied, "") : finding(call)
        }

        /// Outcome of a failed call: unavailable if the kernel lacks the call, otherwise failed.
        static func finding(_ call: String) -> Finding {
            let number = errno
            let detail = "\(call): \(String(cString: strerror(number)))"
            return (number == ENOSYS || number == EOPNOTSUPP ? .unavailable : .failed, detail)
        }
    #else
        private static func apply(_ measure: SandboxMeasure, of policy: SandboxPolicy) -> Finding {
            (.unavailable, "requires Linux")
        }
    #endif
}
