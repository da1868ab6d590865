public import AttachmentContainer
import Foundation

/// A control group with a memory limit, for one process and its children.
///
/// The kernel also counts the group's page cache, which it reclaims before it kills, and its own
/// tables. A process enters when it is launched with ``launchPrefix``. Call ``remove()`` when it
/// has exited.
public struct ControlGroup: Sendable, Hashable {
    /// Path of the group's folder.
    public let path: String
    /// Version of the interface.
    public let version: ControlGroupHierarchy.Version

    /// Words before the program and its arguments that make it start inside the group, or not at
    /// all.
    ///
    /// A shell enters the group and replaces itself by the program.
    public var launchPrefix: [String] {
        // Moving a process takes a lock of the whole system, for which the kernel waits 8 to 90 ms
        // (measured with Linux 6.18). Version 1 moves a thread by itself without it.
        let entrance = version == .v1 ? "tasks" : "cgroup.procs"
        return Shell.prefix(
            #"echo 0 > "$1" && shift && exec "$@""#, "\(path)/\(entrance)")
    }

    /// The kernel's current counters.
    public var counters: Counters {
        switch version {
        case .v1:
            Counters(
                peak: peak,
                // Both limits count; with swap accounting the second includes swap.
                limitHits: ["memory.failcnt", "memory.memsw.failcnt"]
                    .compactMap { KernelFile.number("\(path)/\($0)") }.reduce(0, +),
                kills: KernelFile.number(after: "oom_kill", in: "\(path)/memory.oom_control") ?? 0)
        case .v2:
            Counters(
                peak: peak,
                limitHits: KernelFile.number(after: "max", in: "\(path)/memory.events") ?? 0,
                kills: KernelFile.number(after: "oom_kill", in: "\(path)/memory.events") ?? 0)
        }
    }

    /// The peak alone, of the current counters; supervisors read it after each attachment.
    var peak: ByteCount? {
        let file = version == .v1 ? "memory.max_usage_in_bytes" : "memory.peak"
        return KernelFile.number("\(path)/\(file)").map { ByteCount($0) }
    }

    /// Resets the peak to the current use; has no effect with version 2.
    public func resetPeak() {
        guard version == .v1 else { return }
        // Best effort: on failure the peak covers the group's whole life.
        _ = KernelFile.set("0", in: "\(path)/memory.max_usage_in_bytes")
    }

    /// Kills every process in the group.
    public func kill() {
        if version == .v2, KernelFile.set("1", in: "\(path)/cgroup.kill") == nil { return }
        for process in processes { Foundation.kill(process, SIGKILL) }
    }

    /// Kills remaining processes and removes the group; false if one cannot end yet.
    @discardableResult
    public func remove() -> Bool {
        // A killed process exits within about a millisecond, unless it is blocked on a volume.
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
    /// The kernel's counters of a group.
    public struct Counters: Sendable, Hashable, Codable {
        /// Peak with page cache and kernel memory; nil with version 2 before Linux 5.19.
        public let peak: ByteCount?
        /// Times the limit was hit; zero for version 1 on recent kernels (seen with 6.18).
        public let limitHits: Int
        /// Number of processes killed for the limit.
        public let kills: Int
    }
}
