public import AttachmentContainer
import Foundation

/// A control group with a memory limit, for one process and what that starts.
///
/// The limit is at least as strict as the same number as a footprint: the kernel counts the page
/// cache of the group as well, which it takes back before it kills, and its own tables. A process
/// enters by being launched with ``launchPrefix``, before it has loaded anything. Nothing is removed
/// by itself: call ``remove()`` when the process has ended.
public struct ControlGroup: Sendable, Hashable {
    /// Its folder.
    public let path: String
    /// The version of the interface.
    public let version: ControlGroupHierarchy.Version

    /// What stands before the program and its arguments so that it starts inside the group.
    ///
    /// The shell enters and becomes the program: the process keeps its identifier, its streams and
    /// its environment, and without the group it does not start.
    public var launchPrefix: [String] {
        ["/bin/sh", "-c", #"echo $$ > "$1/cgroup.procs" && shift && exec "$@""#, "sh", path]
    }

    /// What the kernel has counted so far.
    public var counters: Counters {
        switch version {
        case .v1:
            Counters(
                peak: KernelFile.number("\(path)/memory.max_usage_in_bytes").map { ByteCount($0) },
                // Whichever limit is met first counts; with swap accounting it is that of both.
                limitHits: ["memory.failcnt", "memory.memsw.failcnt"]
                    .compactMap { KernelFile.number("\(path)/\($0)") }.reduce(0, +),
                kills: KernelFile.number(after: "oom_kill", in: "\(path)/memory.oom_control") ?? 0)
        case .v2:
            Counters(
                peak: KernelFile.number("\(path)/memory.peak").map { ByteCount($0) },
                limitHits: KernelFile.number(after: "max", in: "\(path)/memory.events") ?? 0,
                kills: KernelFile.number(after: "oom_kill", in: "\(path)/memory.events") ?? 0)
        }
    }

    /// Lets the peak begin again at what is in use now.
    ///
    /// Version 2 cannot for other readers than the one who resets: there the peak is that of the
    /// group's whole life.
    public func resetPeak() {
        guard version == .v1 else { return }
        // Without it the peak is that of the group's whole life, which is still true.
        _ = KernelFile.set("0", in: "\(path)/memory.max_usage_in_bytes")
    }

    /// Kills every process in the group at once.
    public func kill() {
        if version == .v2, KernelFile.set("1", in: "\(path)/cgroup.kill") == nil { return }
        for process in processes { Foundation.kill(process, SIGKILL) }
    }

    /// Removes the group, killing what is still in it.
    ///
    /// - Returns: Whether it is gone; a process that the kernel cannot end yet keeps it.
    @discardableResult
    public func remove() -> Bool {
        // A killed process leaves within a millisecond or so, unless it waits for a volume.
        for _ in 0..<500 {
            if rmdir(path) == 0 || errno == ENOENT { return true }
            guard errno == EBUSY else { return false }
            kill()
            usleep(1000)
        }
        return false
    }

    private var processes: [pid_t] {
        (KernelFile.text("\(path)/cgroup.procs") ?? "").split(separator: "\n")
            .compactMap { pid_t($0) }
    }
}

extension ControlGroup {
    /// What the kernel counts in a group.
    public struct Counters: Sendable, Hashable, Codable {
        /// The most memory of all kinds, page cache and the kernel's own included; nil where the
        /// kernel does not say (version 2 before Linux 5.19).
        public let peak: ByteCount?
        /// How often the limit was met, whether memory was taken back or a process killed.
        ///
        /// Recent kernels leave it at zero for version 1 (seen with 6.18): ``kills`` is what counts.
        public let limitHits: Int
        /// How many processes were killed for the limit.
        public let kills: Int
    }
}
