internal import CSandbox
internal import Foundation

/// The sandbox of a process that is about to read what strangers sent.
///
/// It assumes that every decoder has a hole. Whoever takes the process over through one finds no
/// path that opens, no socket, no other program or process, no
/// capability, and no system call that decoding does not take. It does *not* keep one attachment from
/// another in the same process, and it hides neither the existence nor the length of files: the
/// kernel has no rule for that (`SECURITY.md`).
///
/// Only Linux has it. On Apple's systems the system's own sandbox holds extensions and apps; there
/// every measure is reported as unavailable.
public enum Sandbox {
    /// Gives up, for good, what the policy does not name.
    ///
    /// Call it when every library is loaded and before any other thread is started: the rules for
    /// paths are a thread's own and pass to those that it starts.
    ///
    /// - Parameter policy: What is kept.
    /// - Returns: What became of each measure.
    /// - Throws: `SandboxError` when all of it is required and some of it is not in force. What is in
    ///   force by then stays.
    public static func enter(
        _ policy: SandboxPolicy
    ) throws(SandboxError) -> SandboxReport {
        var report = SandboxReport(mode: policy.mode)
        guard policy.mode != .off else { return report }
        for measure in SandboxMeasure.allCases {
            let (outcome, detail) = take(measure, by: policy)
            report.entries.append(.init(measure: measure, outcome: outcome, detail: detail))
        }
        guard policy.mode != .require || report.isComplete else {
            throw SandboxError(report: report)
        }
        return report
    }

    /// What became of a measure, and what there is to say of it.
    typealias Finding = (outcome: SandboxReport.Outcome, detail: String)

    /// Whether the kernel can keep a process from all paths, which is the measure that most often is
    /// not there.
    package static var isAvailable: Bool {
        #if os(Linux)
            thimble_landlock_version() >= oldestLandlock
        #else
            false
        #endif
    }

    #if os(Linux)
        /// Takes one measure.
        ///
        /// They come in the order of their declaration: the last forbids what the ones before it
        /// need.
        private static func take(_ measure: SandboxMeasure, by policy: SandboxPolicy) -> Finding {
            switch measure {
            case .noNewPrivileges: dropNewPrivileges()
            case .descriptors: closeDescriptors(besides: policy.descriptors)
            case .limits: policy.limits.enforce()
            case .memory: hideMemory()
            case .paths: restrictPaths(policy)
            case .capabilities: dropCapabilities()
            case .calls: filterCalls(policy)
            }
        }

        /// What a failed call means: without the call in the kernel the measure is not to be had.
        ///
        /// - Parameter call: The call's name.
        /// - Returns: The outcome, with the system's words.
        static func finding(_ call: String) -> Finding {
            let number = errno
            let detail = "\(call): \(String(cString: strerror(number)))"
            return (number == ENOSYS || number == EOPNOTSUPP ? .unavailable : .failed, detail)
        }
    #else
        private static func take(_ measure: SandboxMeasure, by policy: SandboxPolicy) -> Finding {
            (.unavailable, "only Linux has it")
        }
    #endif
}
